public import Foundation

/// A problem with a query, before its place is known.
struct FileQueryProblem: Error, Hashable {
    /// The part of a comparison that is to blame.
    enum Part: Hashable {
        case operation, options
        /// The value, or one element of a list.
        case value(element: Int?)
    }

    /// The problem, as the end of a sentence.
    let message: String

    /// Advice on how to solve the problem, if any is known.
    var suggestion: String?

    /// Which part is to blame.
    var part = Part.value(element: nil)

    /// The place, in bytes from the start of the text.
    var offset: Int?

    init(_ message: String, suggestion: String? = nil, part: Part = .value(element: nil), at offset: Int? = nil) {
        self.message = message
        self.suggestion = suggestion
        self.part = part
        self.offset = offset
    }
}

// MARK: - Typing errors

extension FileQueryProblem {
    /// How many bytes have to be inserted, removed or changed (Levenshtein).
    static func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
        guard first.count < 64, second.count < 64 else { return .max }
        var row = Array(0...second.count)
        for (line, left) in first.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, right) in second.enumerated() {
                let changed = left == right ? diagonal : diagonal + 1
                diagonal = row[column + 1]
                row[column + 1] = min(changed, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}

extension FileQuery.Operation {
    /// The operation that a mistyped word may have meant.
    init?(near word: String) {
        let word = Array(word.utf8)
        let found = Self.allCases.filter { operation in
            let name = Array(operation.rawValue.utf8)
            return name.count > 2 && (name.starts(with: word) || FileQueryProblem.editDistance(name, word) <= 2)
        }
        guard found.count == 1 else { return nil }
        self = found[0]
    }
}

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
