import FerryCore

/// A location as a person wrote it, taken apart.
///
/// A colon before the first slash ends a storage's name; everything else is a path of this machine:
///
/// ```
/// report.pdf  ./a:b  /etc/hosts      here
/// memory:     work:/reports/2026     the storage called `memory`, `work`
/// davs://alice@example.org/files     a server without a name
/// ```
enum LocationSyntax: Hashable {
    /// A path on this machine.
    case local(String)
    /// A path on a storage with a name.
    case storage(name: String, path: String)
    /// A URL of a web server.
    case address(String)

    /// Takes a location apart.
    ///
    /// - Parameter text: The text that a person wrote, not empty.
    init(_ text: String) {
        let bytes = text.utf8
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            bytes[end] == UInt8(ascii: ":"), end != bytes.startIndex
        else {
            self = .local(text)
            return
        }
        let name = String(text[..<end])
        let path = text[bytes.index(after: end)...]
        if StorageKind.ofScheme(name) != nil, path.utf8.starts(with: "//".utf8) {
            self = .address(text)
        } else {
            self = .storage(name: name, path: String(path))
        }
    }
}
