import FerryCore
import FerryHTTP
import Foundation

/// A question to Dropbox's index: names by their words, and extensions.
///
/// The items that it finds are looked at again here, so it may find more than matches.
struct DropboxSearchRequest: Sendable, Hashable {
    /// The words that names are searched for.
    let text: String

    /// The extension that files must have; `nil` for any.
    let fileExtension: String?

    /// Characters that words are made of, or that stand between them.
    private static let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: " ._-"))

    /// Finds what to ask for a query.
    ///
    /// - Parameter query: The part of a query that a plan leaves to the server.
    init?(_ query: FileQuery) {
        let nodes: [FileQuery.Node] = if case .and(let nodes) = query.root { nodes } else { [query.root] }
        var words: [String] = []
        var ending: String?
        for case .comparison(let comparison) in nodes {
            guard case .text(let text) = comparison.value else { continue }
            if comparison.attribute == .pathExtension { ending = text } else { words.append(text) }
        }
        guard let text = words.max(by: { $0.count < $1.count }) ?? ending else { return nil }
        self.text = text
        fileExtension = ending
    }

    /// Divides a query between the index and us.
    ///
    /// - Parameter query: The query.
    /// - Returns: The plan.
    static func plan(for query: FileQuery) -> FileQueryPlan {
        FileQueryPlan(query, allowsOr: false, allowsNot: false, where: canPush)
    }

    /// Returns whether the index finds all that a comparison matches.
    private static func canPush(_ comparison: FileQuery.Comparison) -> Bool {
        guard case .text(let text) = comparison.value, isPlain(text) else { return false }
        return switch (comparison.attribute, comparison.operation) {
        // The last word of what is searched for may be the beginning of a word.
        case (.name, .equal), (.name, .beginsWith): true
        case (.pathExtension, .equal): !text.contains(" ")
        default: false
        }
    }

    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 200
            && text.unicodeScalars.allSatisfy { $0.isASCII && plain.contains($0) }
            && text.unicodeScalars.first.map { CharacterSet.alphanumerics.contains($0) } ?? false
    }

    /// The argument of the route.
    ///
    /// - Parameter folder: The folder that is searched with all below it.
    /// - Returns: The argument.
    func argument(in folder: ItemPath) -> JSONValue {
        var options: [String: JSONValue] = ["filename_only": true, "max_results": 1_000]
        if !folder.isRoot { options["path"] = .text(DropboxPath.text(folder)) }
        if let fileExtension { options["file_extensions"] = [.text(fileExtension)] }
        return ["query": .text(text), "options": .object(options)]
    }
}
