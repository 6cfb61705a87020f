/// The form that a text argument must have.
enum DropboxPattern: String, Sendable {
    /// An absolute path below the root.
    case path = #"/(.|[\r\n])*"#
    /// A path, or the root as the empty text.
    case pathOrRoot = #"(/(.|[\r\n])*)?|(ns:[0-9]+(/(.|[\r\n])*)?)"#
    /// A path, the root as the empty text, or an id.
    case pathRootOrID = #"(/(.|[\r\n])*)?|id:.*|(ns:[0-9]+(/(.|[\r\n])*)?)"#
    /// A path or an id.
    case pathOrID = #"/(.|[\r\n])*|id:.*|(ns:[0-9]+(/(.|[\r\n])*)?)"#
    /// A path, an id or a revision.
    case readPath = #"(/(.|[\r\n])*|id:.*)|(rev:[0-9a-f]{9,})|(ns:[0-9]+(/(.|[\r\n])*)?)"#
    /// A path to write to.
    case writePath = #"(/(.|[\r\n])*)|(ns:[0-9]+(/(.|[\r\n])*)?)"#
    /// A path or an id to write to.
    case writePathOrID = #"(/(.|[\r\n])*)|(ns:[0-9]+(/(.|[\r\n])*)?)|(id:.*)"#
    /// A revision.
    case revision = "[0-9a-f]+"
}

extension DropboxPattern {
    /// Returns the complaint about a text, or `nil` if it has the form.
    func complaint(about text: String) -> String? {
        switch self {
        case .pathOrRoot, .pathRootOrID:
            if text == "/" { return "Specify the root folder as an empty string rather than as \"/\"." }
        case .pathOrID, .readPath:
            if text.isEmpty { return "The root folder is unsupported." }
        default: break
        }
        return matches(text) ? nil : "'\(text)' did not match pattern '\(rawValue)'"
    }

    private func matches(_ text: String) -> Bool {
        switch self {
        case .revision: return text.count >= 9 && text.allSatisfy(Self.isRevisionDigit)
        case .path: return text.hasPrefix("/")
        default: break
        }
        if text.hasPrefix("/") || Self.isNamespacePath(text) { return true }
        if text.isEmpty { return self == .pathOrRoot || self == .pathRootOrID }
        if text.hasPrefix("id:") { return self != .pathOrRoot && self != .writePath }
        if text.hasPrefix("rev:"), self == .readPath {
            return text.count >= 13 && text.dropFirst(4).allSatisfy(Self.isRevisionDigit)
        }
        return false
    }

    private static func isRevisionDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) || ("a"..."f").contains(character)
    }

    private static func isNamespacePath(_ text: String) -> Bool {
        guard text.hasPrefix("ns:") else { return false }
        let number = text.dropFirst(3).prefix { $0 != "/" }
        return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
}
