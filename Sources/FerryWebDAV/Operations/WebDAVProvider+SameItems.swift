package import FerryCore
import FerryHTTP
import Foundation

/// Names that are one for the server, though it was not known that it takes them so.
extension WebDAVProvider {
    /// Returns `true` if two paths lead to the same item, or if that can't be told.
    ///
    /// The listing of their folder tells it: of two items it names both. Names that no listing has are compared by what
    /// the server says of the items.
    ///
    /// - Parameters:
    ///   - path: A path.
    ///   - other: Another path, which some servers would take for the same.
    /// - Returns: `false` if nothing is at one of them.
    /// - Throws: Errors of the connection, and of a server that refuses to say.
    package func isSameItem(_ path: ItemPath, _ other: ItemPath) async throws -> Bool {
        guard path != other else { return true }
        guard path.mayBeSame(as: other), !path.isRoot, !other.isRoot else { return false }
        guard let first = try await attributesIfExists(path: path),
            let second = try await attributesIfExists(path: other)
        else { return false }
        guard Self.resembles(first, second) else { return false }
        if path.parent != other.parent, try await !isSameItem(path.parent, other.parent) { return false }
        if !path.lastName.hasSameBytes(as: other.lastName) {
            let names = [path.lastName, other.lastName].map { Array($0.utf8) }
            var listed: Set<[UInt8]> = []
            for item in try await contentsOfDirectory(path: path.parent) where names.contains(Array(item.name.utf8)) {
                listed.insert(Array(item.name.utf8))
            }
            // Two spellings of a name that are both listed are two items.
            if listed.count == 2 { return false }
        }
        noteSameNames(path, other)
        return true
    }

    /// Remembers how the server compares names.
    private func noteSameNames(_ path: ItemPath, _ other: ItemPath) {
        let (first, second) = (path.string, other.string)
        let composed = (first.precomposedStringWithCanonicalMapping, second.precomposedStringWithCanonicalMapping)
        let differsInForm = zip(path.components, other.components).contains { one, two in
            Array(one.utf8) != Array(two.utf8)
                && Array(String(one).precomposedStringWithCanonicalMapping.utf8)
                    == Array(String(two).precomposedStringWithCanonicalMapping.utf8)
        }
        let differsInCase =
            Array(composed.0.utf8) != Array(composed.1.utf8)
            && Array(composed.0.lowercased().utf8) == Array(composed.1.lowercased().utf8)
        connection.learn { facts in
            if differsInForm { facts.tried.distinguishesNormalizationForms = false }
            if differsInCase { facts.tried.isCaseSensitive = false }
            facts.isTried = true
        }
    }

    /// Returns whether what the server says of two items allows them to be one.
    private static func resembles(_ first: FileObject, _ second: FileObject) -> Bool {
        func agree<Value: Equatable>(_ one: Value?, _ two: Value?) -> Bool {
            guard let one, let two else { return true }
            return one == two
        }
        return first.type == second.type && agree(first.id, second.id) && agree(first.size, second.size)
            && agree(first.eTag, second.eTag) && agree(first.modifiedDate, second.modifiedDate)
    }
}

extension WebDAVFileProvider: FileProviderNameFolding {}
extension NextcloudFileProvider: FileProviderNameFolding {}
