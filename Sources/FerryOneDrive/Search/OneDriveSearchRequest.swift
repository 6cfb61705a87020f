import FerryCore
import Foundation

/// A question to the service's index: one word that names have.
///
/// The index finds words in names, contents and properties, and what it finds is looked at again here. It misses names
/// by pieces with dashes or several dots, and says nothing about beginnings of words: so only whole plain words are
/// asked for. See <https://learn.microsoft.com/graph/api/driveitem-search>.
struct OneDriveSearchRequest: Sendable, Hashable {
    /// The shortest word that is asked for.
    private static let shortestWord = 3

    /// The word.
    let text: String

    /// Finds what to ask for a query.
    ///
    /// - Parameter query: The part of the query that a plan leaves to the server.
    init?(_ query: FileQuery) {
        let nodes: [FileQuery.Node] = if case .and(let nodes) = query.root { nodes } else { [query.root] }
        let words = nodes.compactMap { node -> String? in
            guard case .comparison(let comparison) = node else { return nil }
            return Self.word(of: comparison)
        }
        guard let text = words.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
        self.text = text
    }

    /// Divides a query between the index and us.
    ///
    /// - Parameter query: The query.
    /// - Returns: The plan.
    static func plan(for query: FileQuery) -> FileQueryPlan {
        FileQueryPlan(query, allowsOr: false, allowsNot: false) { word(of: $0) != nil }
    }

    /// The function of the API, percent-encoded: a quote in the text is doubled first.
    var function: String { Self.function(text) }

    /// Returns the function of the API that searches for a text.
    ///
    /// - Parameter text: The text.
    /// - Returns: Such as `/search(q='it%27%27s')`.
    static func function(_ text: String) -> String {
        let quoted = text.replacing("'", with: "''")
        return "/search(q='\(GraphAddress.encoded(quoted))')"
    }

    /// Returns a word that all names have that a comparison matches; `nil` if none is certain.
    private static func word(of comparison: FileQuery.Comparison) -> String? {
        guard comparison.attribute == .name, case .text(let text) = comparison.value else { return nil }
        var pieces = text.split(separator: " ", omittingEmptySubsequences: true)
        switch comparison.operation {
        case .equal: break
        // The last piece may be the beginning of a word.
        case .beginsWith: if text.utf8.last != UInt8(ascii: " ") { _ = pieces.popLast() }
        default: return nil
        }
        return pieces.filter(isPlain).max { $0.utf8.count < $1.utf8.count }.map(String.init)
    }

    /// Returns whether a piece of a name is a word, or a word with an extension.
    private static func isPlain(_ piece: Substring) -> Bool {
        let parts = piece.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return (1...2).contains(parts.count) && (shortestWord...100).contains(piece.utf8.count)
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    }
            }
            // Words of the language that the index understands.
            && !["AND", "OR", "NOT", "NEAR", "ONEAR", "WORDS", "XRANK"].contains(String(piece))
    }
}
