/// What a person wrote to say where something is.
///
/// A colon before the first slash ends a storage's name; everything else is a path of this machine:
///
/// ```
/// report.pdf  ./a:b  /etc/hosts      here
/// memory:     work:/reports/2026     the storage called `memory`, `work`
/// ```
enum LocationSyntax: Hashable {
    /// A path on this machine.
    case local(String)
    /// A path on a storage with a name.
    case storage(name: String, path: String)

    /// Takes a location apart.
    ///
    /// - Parameter text: What a person wrote, not empty.
    init(_ text: String) {
        let bytes = text.utf8
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }),
            bytes[end] == UInt8(ascii: ":"), end != bytes.startIndex
        else {
            self = .local(text)
            return
        }
        self = .storage(name: String(text[..<end]), path: String(text[bytes.index(after: end)...]))
    }
}
