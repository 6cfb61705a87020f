/// A path in an OpenAPI document: `/drives/{drive-id}/items/{driveItem-id}`.
struct OpenAPITemplate: Sendable, Hashable {
    private enum Segment: Sendable, Hashable {
        case any
        case literal(String)
        /// A function with a text in quotation marks, such as `search(q='{q}')`.
        case function(prefix: String, suffix: String)
    }

    let text: String
    private let segments: [Segment]
    /// The number of segments.
    var count: Int { segments.count }
    /// The number of segments that are given, which decides between templates that match the same path.
    let literalCount: Int

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/").map { segment in
            guard let opening = segment.firstIndex(of: "{"), let closing = segment.lastIndex(of: "}") else {
                return .literal(String(segment))
            }
            let (prefix, suffix) = (segment[..<opening], segment[segment.index(after: closing)...])
            return prefix.isEmpty ? .any : .function(prefix: String(prefix), suffix: String(suffix))
        }
        literalCount = segments.count { $0 != .any }
    }

    /// Returns `true` if a path has the form of the template.
    ///
    /// - Parameters:
    ///   - path: The segments, percent-decoded.
    ///   - namespace: The prefix that names of operations may be written without, such as `microsoft.graph.`.
    /// - Returns: `true` if it has.
    func matches(_ path: [String], namespace: String = "") -> Bool {
        path.count == segments.count
            && zip(path, segments).allSatisfy { text, segment in
                switch segment {
                case .any: return true
                case .literal(let literal):
                    if text == literal { return true }
                    guard !namespace.isEmpty, literal.hasPrefix(namespace) else { return false }
                    // A function without parameters may be called without parentheses.
                    let bare = literal.hasSuffix("()") ? String(literal.dropLast(2)) : literal
                    return [literal, bare].contains(namespace + text) || text == bare
                case .function(let prefix, let suffix):
                    return [text, namespace + text].contains { text in
                        text.count >= prefix.count + suffix.count && text.hasPrefix(prefix) && text.hasSuffix(suffix)
                    }
                }
            }
    }
}
