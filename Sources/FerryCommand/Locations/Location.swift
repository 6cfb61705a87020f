import FerryCore

/// A storage that the command can work on.
typealias Storage = FileProvider & FileProviderReadWriteProgressive

/// An item that a person named: where it is, and what it was called.
struct Location: Sendable {
    /// What the person wrote, which is how messages name it.
    let text: String

    /// The storage that holds it.
    let storage: any Storage

    /// The storage's name with a colon; empty for this machine.
    let prefix: String

    /// Where it is on the storage.
    let path: ItemPath

    /// Whether it was written with a slash, `.` or `..` at the end: then only a folder will do.
    let demandsFolder: Bool

    /// Whether it is on this machine.
    var isLocal: Bool { prefix.isEmpty }

    /// Makes a location.
    ///
    /// - Parameters:
    ///   - text: What the person wrote.
    ///   - storage: The storage that holds it.
    ///   - prefix: The storage's name with a colon; empty for this machine.
    ///   - path: Where it is on the storage.
    init(text: String, storage: any Storage, prefix: String, path: ItemPath) {
        self.text = text
        self.storage = storage
        self.prefix = prefix
        self.path = path
        let last = text.utf8.suffix(while: { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") })
        demandsFolder = last.isEmpty || last.elementsEqual(".".utf8) || last.elementsEqual("..".utf8)
    }

    /// The same text for another place: where a link leads.
    func replacing(path: ItemPath) -> Location {
        Location(text: text, storage: storage, prefix: prefix, path: path)
    }

    /// The item called `name` in this folder.
    func appending(name: String) -> Location {
        let below = path.appending(name)
        return Location(text: display(below), storage: storage, prefix: prefix, path: below)
    }

    /// How a person would write an item's path: beginning with what they wrote themselves, if the item is below.
    ///
    /// - Parameter item: A path on this location's storage.
    /// - Returns: Text to show; bytes that are not UTF-8 are escaped.
    func display(_ item: ItemPath) -> String {
        guard let below = item.relative(to: path), !path.isIdentifier else { return prefix + item.string }
        if below.isRoot { return text }
        let rest = below.string.dropFirst()
        let needsSlash = text.utf8.last != UInt8(ascii: "/") && text.utf8.last != UInt8(ascii: ":")
        return text + (needsSlash ? "/" : "") + rest
    }

    /// Whether two locations are on the same storage.
    func isOnSameStorage(as other: Location) -> Bool { prefix == other.prefix }
}

extension String.UTF8View {
    /// The end that fulfils a condition.
    fileprivate func suffix(while condition: (UInt8) -> Bool) -> Substring.UTF8View {
        let start = lastIndex { !condition($0) }.map { index(after: $0) } ?? startIndex
        return self[start...]
    }
}
