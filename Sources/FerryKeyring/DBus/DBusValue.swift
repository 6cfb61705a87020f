import Foundation

/// A value in a message of D-Bus, of the types that secret services use.
indirect enum DBusValue: Sendable, Hashable {
    case string(String)
    case path(String)
    case flag(Bool)
    case bytes(Data)
    /// The signature of an element, and the elements.
    case array(String, [DBusValue])
    /// The signature of an entry, such as `{sv}`, and the entries.
    case dictionary(String, [DBusValue: DBusValue])
    case structure([DBusValue])
    case variant(DBusValue)
    /// A value that nobody asks for.
    case other

    /// Its type, as D-Bus writes it.
    var signature: String {
        switch self {
        case .string: "s"
        case .path: "o"
        case .flag: "b"
        case .bytes: "ay"
        case .array(let element, _): "a\(element)"
        case .dictionary(let entry, _): "a\(entry)"
        case .structure(let values): "(\(values.map(\.signature).joined()))"
        case .variant: "v"
        case .other: ""
        }
    }

    /// The path, if it is one.
    var path: String? { if case .path(let text) = self { text } else { nil } }

    /// The paths, if it is an array of such.
    var paths: [String]? { if case .array(_, let values) = self { values.compactMap(\.path) } else { nil } }

    /// Indicates whether it is true, if it is a flag.
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
}

/// A place in a message, as libdbus keeps it.
struct DBusPlace: ~Copyable {
    /// libdbus's `DBusMessageIter` has 72 bytes on 64 bits, and will not grow.
    let raw = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 16)
    private let library: DBusLibrary

    private static let (string, path, flag, byte) = (Int32(0x73), Int32(0x6f), Int32(0x62), Int32(0x79))
    private static let (array, structure, variant, entry) = (Int32(0x61), Int32(0x72), Int32(0x76), Int32(0x65))

    init(_ library: DBusLibrary) {
        self.library = library
        raw.initializeMemory(as: UInt8.self, repeating: 0, count: 128)
    }

    deinit {
        raw.deallocate()
    }

    /// Writes a value; `false` if there is no memory for it.
    func write(_ value: DBusValue) -> Bool {
        switch value {
        case .string(let text): return write(text, Self.string)
        case .path(let text): return write(text, Self.path)
        case .flag(let flag):
            var number: UInt32 = flag ? 1 : 0
            return library.append(raw, Self.flag, &number) != 0
        case .bytes(let data):
            return inContainer(Self.array, "y") { place in
                data.withUnsafeBytes { bytes in
                    guard var start = bytes.baseAddress else { return true }
                    return place.library.appendArray(place.raw, Self.byte, &start, Int32(bytes.count)) != 0
                }
            }
        case .array(let element, let values):
            return inContainer(Self.array, element) { place in values.allSatisfy { place.write($0) } }
        case .dictionary(let signature, let entries):
            return inContainer(Self.array, signature) { place in
                entries.allSatisfy { name, value in
                    place.inContainer(Self.entry, nil) { $0.write(name) && $0.write(value) }
                }
            }
        case .structure(let values):
            return inContainer(Self.structure, nil) { place in values.allSatisfy { place.write($0) } }
        case .variant(let value):
            return inContainer(Self.variant, value.signature) { $0.write(value) }
        case .other: return false
        }
    }

    /// Reads the values from here to the end.
    func readAll() -> [DBusValue] {
        var values: [DBusValue] = []
        while library.type(raw) != 0 {
            values.append(read())
            if library.next(raw) == 0 { break }
        }
        return values
    }

    private func write(_ text: String, _ type: Int32) -> Bool {
        text.withCString { start in
            var start = start
            return library.append(raw, type, &start) != 0
        }
    }

    private func inContainer(_ type: Int32, _ signature: String?, _ body: (borrowing DBusPlace) -> Bool) -> Bool {
        let inner = DBusPlace(library)
        let isOpen =
            if let signature {
                signature.withCString { library.openContainer(raw, type, $0, inner.raw) } != 0
            } else {
                library.openContainer(raw, type, nil, inner.raw) != 0
            }
        guard isOpen else { return false }
        let isWritten = body(inner)
        return library.closeContainer(raw, inner.raw) != 0 && isWritten
    }

    private func read() -> DBusValue {
        switch library.type(raw) {
        case Self.string: return .string(text)
        case Self.path: return .path(text)
        case Self.flag:
            var number: UInt32 = 0
            library.basic(raw, &number)
            return .flag(number != 0)
        case Self.array where library.elementType(raw) == Self.byte:
            let inner = inside
            var start: UnsafeMutableRawPointer?
            var count: Int32 = 0
            library.array(inner.raw, &start, &count)
            return .bytes(start.map { Data(bytes: $0, count: Int(max(0, count))) } ?? Data())
        case Self.array where library.elementType(raw) == Self.entry:
            var entries: [DBusValue: DBusValue] = [:]
            for case .structure(let pair) in inside.readAll() where pair.count == 2 { entries[pair[0]] = pair[1] }
            return .dictionary("", entries)
        case Self.array: return .array("", inside.readAll())
        case Self.structure, Self.entry: return .structure(inside.readAll())
        case Self.variant: return .variant(inside.readAll().first ?? .other)
        default: return .other
        }
    }

    private var inside: DBusPlace {
        let inner = DBusPlace(library)
        library.recurse(raw, inner.raw)
        return inner
    }

    private var text: String {
        var start: UnsafePointer<CChar>?
        library.basic(raw, &start)
        return start.map { String(cString: $0) } ?? ""
    }
}
