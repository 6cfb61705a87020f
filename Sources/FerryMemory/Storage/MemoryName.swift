/// A name as a key: equal when its bytes are, where `String` would also call `é` and `e` + accent equal.
struct MemoryName: Hashable, Comparable {
    let text: String

    init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    static func == (first: MemoryName, second: MemoryName) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    static func < (first: MemoryName, second: MemoryName) -> Bool {
        first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
