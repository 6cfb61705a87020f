import FerryCore
import Foundation

/// A name as the system has it: its bytes and a NUL.
///
/// Never empty, `.` or `..`, and without a slash, unless said.
typealias RawName = [CChar]

extension RawName {
    /// Copies a name that ends with a NUL.
    init(_ name: UnsafePointer<CChar>) {
        self = Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1))
    }

    /// The name for people and paths.
    var text: String {
        String(nameBytes: dropLast().map { UInt8(bitPattern: $0) })
    }

    /// The destination of a link, as text: `NameEscape.bytes(ofName:)` gives the same bytes back.
    var linkText: String {
        NameEscape.name(ofBytes: dropLast().map { UInt8(bitPattern: $0) })
    }
}

extension ItemPath {
    /// The item that some names lead to, from this folder down: in one go, since deep trees have long paths.
    func appending(names: some Sequence<RawName>) -> ItemPath {
        let components = names.map { NameEscape.component(ofName: $0.text) }
        return components.isEmpty ? self : appending(component: components.joined(separator: "/"))
    }
}

extension String {
    /// A name of any bytes, as items and paths have it.
    init(nameBytes bytes: some RandomAccessCollection<UInt8>) {
        self = NameEscape.name(ofComponent: NameEscape.name(ofBytes: bytes))
    }

    /// A name as the system has it, ended by a NUL; quick for names in ASCII.
    init(rawName name: UnsafePointer<CChar>) {
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        if bytes.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: bytes, as: UTF8.self)
        } else {
            self.init(nameBytes: bytes)
        }
    }
}

extension UnsafePointer<CChar> {
    /// Indicates whether the name is `.` or `..`.
    var isDots: Bool {
        let dot = CChar(UInt8(ascii: "."))
        return self[0] == dot && (self[1] == 0 || (self[1] == dot && self[2] == 0))
    }
}

/// Many names in one piece of memory, last in, first out.
struct RawNames: Sendable {
    private var bytes: [CChar] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// Adds a name.
    ///
    /// - Parameter name: The name, ended by a NUL.
    mutating func append(_ name: UnsafePointer<CChar>) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: name, count: strlen(name) + 1))
        count += 1
    }

    /// Takes out the name that was added last.
    mutating func popLast() -> RawName? {
        guard count > 0 else { return nil }
        let start = bytes.dropLast().lastIndex(of: 0).map { $0 + 1 } ?? 0
        let name = Array(bytes[start...])
        bytes.removeLast(bytes.count - start)
        count -= 1
        return name
    }

    /// Calls for each name, first added first.
    func forEach(_ body: (UnsafePointer<CChar>) throws -> Void) rethrows {
        try bytes.withUnsafeBufferPointer { buffer in
            guard var name = buffer.baseAddress else { return }
            for _ in 0..<count {
                try body(name)
                name += strlen(name) + 1
            }
        }
    }
}
