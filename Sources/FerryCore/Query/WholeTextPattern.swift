import Foundation

/// A regular expression that the whole text has to fit.
struct WholeTextPattern: Sendable {
    /// Some ten million steps, a few tenths of a second: no honest pattern takes as many for a name.
    private static let reportLimit = 1000

    private let expression: NSRegularExpression
    private let isDiacriticInsensitive: Bool

    init(_ pattern: String, options: FileQuery.TextOptions) throws(FileQueryProblem) {
        isDiacriticInsensitive = options.contains(.diacriticInsensitive)
        let pattern = isDiacriticInsensitive ? pattern.folding(options: .diacriticInsensitive, locale: nil) : pattern
        let expressionOptions: NSRegularExpression.Options =
            options.contains(.caseInsensitive) ? .caseInsensitive : []
        do {
            // By itself first: "a)(b" must not become valid by what we put around it. Foundation refuses the empty one.
            if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: expressionOptions) }
            expression = try NSRegularExpression(pattern: "(?:\(pattern))\\z", options: expressionOptions)
        } catch {
            throw FileQueryProblem(
                "\(FileQuery.Value.text(pattern)) is not a regular expression",
                suggestion: "a character with a meaning of its own, as in '(', needs a backslash before it"
            )
        }
    }

    func matches(_ text: String) -> Bool {
        let text = isDiacriticInsensitive ? text.folding(options: .diacriticInsensitive, locale: nil) : text
        var reports = 0
        var isMatch = false
        expression.enumerateMatches(
            in: text,
            options: [.anchored, .reportProgress],
            range: NSRange(location: 0, length: text.utf16.count)
        ) { result, _, stop in
            isMatch = result != nil
            reports += 1
            if isMatch || reports > Self.reportLimit { stop.pointee = true }
        }
        return isMatch
    }
}
