public import Foundation

/// Details of a malformed query, in its error's `userInfo`.
extension CocoaError {
    private static let textKey = "FerryQueryText"
    private static let columnKey = "FerryQueryColumn"

    /// Makes the error of a text that is no query.
    static func malformedQuery(_ problem: FileQueryProblem, in text: String) -> CocoaError {
        var info: [String: Any] = [textKey: text]
        var place = ""
        if let offset = problem.offset {
            let end = text.utf8.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
            let column = text[..<end].count + 1
            info[columnKey] = column
            place = "column \(column): "
        }
        info[NSLocalizedDescriptionKey] = "malformed query: \(place)\(problem.message)"
        info[NSLocalizedFailureReasonErrorKey] = info[NSLocalizedDescriptionKey]
        info[NSLocalizedRecoverySuggestionErrorKey] = problem.suggestion
        return CocoaError(.formatting, userInfo: info)
    }

    /// The column where a malformed query goes wrong, in characters, the first being 1; `nil` for other errors.
    public var queryColumn: Int? { userInfo[Self.columnKey] as? Int }

    /// The malformed query with a caret below the place where it goes wrong, on two lines; `nil` for other errors.
    ///
    /// ```text
    /// name CONTAIN 'a'
    ///      ^
    /// ```
    public var queryDiagram: String? {
        guard let column = queryColumn, let text = userInfo[Self.textKey] as? String else { return nil }
        let line = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return line + "\n" + String(repeating: " ", count: column - 1) + "^"
    }
}
