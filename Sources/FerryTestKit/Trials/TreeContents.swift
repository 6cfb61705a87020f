import FerryCore
import Foundation

/// All that is below a folder, contents included.
struct TreeContents: Sendable, Equatable {
    enum Entry: Sendable, Equatable {
        case file(Data)
        case folder
        case link(String?)
        case other
    }

    /// By the path as seen from the folder.
    var entries: [ItemPath: Entry] = [:]

    /// Reads a tree.
    init(of provider: any FileProviderBasic & FileProviderReadWrite, below root: ItemPath) async throws {
        for try await element in TreeWalk(provider, path: root) {
            switch element {
            case .failure(let error, _): throw error
            case .page(let items, _):
                for item in items {
                    guard let path = item.path.relative(to: root) else { continue }
                    entries[path] = try await Self.entry(of: item, on: provider)
                }
            }
        }
    }

    private static func entry(
        of item: FileObject,
        on provider: any FileProviderBasic & FileProviderReadWrite
    ) async throws -> Entry {
        switch item.type {
        case .file: .file(try await provider.contents(path: item.path))
        case .directory: .folder
        case .symlink:
            .link(try await (provider as? any FileProviderSymbolicLink)?.destination(ofSymbolicLink: item.path))
        case .other: .other
        }
    }

    /// A tree as a rule writes it down: a path that ends in a slash is a folder; folders above items need not be named.
    init(_ items: KeyValuePairs<String, String>) {
        for (text, contents) in items {
            let path = ItemPath(stringLiteral: text)
            entries[path] = text.hasSuffix("/") ? .folder : .file(Data(contents.utf8))
            var folder = path.parent
            while !folder.isRoot {
                entries[folder] = .folder
                folder = folder.parent
            }
        }
    }

    /// The same without hidden files that another tree doesn't have.
    func withoutHidden(beside other: TreeContents) -> TreeContents {
        var rest = self
        rest.entries = entries.filter { path, entry in
            guard case .file = entry, path.lastName.hasPrefix("."), other.entries[path] == nil else { return true }
            return false
        }
        return rest
    }

    /// Returns what is not as in another tree, in words.
    func differences(from expected: TreeContents) -> [String] {
        Set(entries.keys).union(expected.entries.keys).sorted().compactMap { path in
            let name = path.string.debugDescription
            return switch (entries[path], expected.entries[path]) {
            case (nil, nil): nil
            case (let entry?, nil): "\(name) should not be there, and is \(entry.words)"
            case (nil, let entry?): "\(name) is missing, and should be \(entry.words)"
            case (.file(let own)?, .file(let other)?): own.difference(from: other).map { "\(name): \($0)" }
            case (let own?, let other?): own == other ? nil : "\(name) is \(own.words), and should be \(other.words)"
            }
        }
    }
}

extension TreeContents.Entry {
    fileprivate var words: String {
        switch self {
        case .file(let data): "a file of \(data.count) bytes"
        case .folder: "a folder"
        case .link(let destination): "a link to \(destination?.debugDescription ?? "somewhere")"
        case .other: "something else"
        }
    }
}
