import Foundation

/// A storage on which two names may lead to one item, though nothing has said so.
package protocol FileProviderNameFolding: FileProviderBasic {
    /// Returns `true` if two paths lead to the same item, or if that can't be told.
    ///
    /// - Parameters:
    ///   - path: A path of an item.
    ///   - other: Another path.
    /// - Returns: `false` if they lead to two items, or if nothing is at one of them.
    /// - Throws: Errors of the storage.
    func isSameItem(_ path: ItemPath, _ other: ItemPath) async throws -> Bool
}

extension ItemPath {
    /// Returns `true` if some storages take two paths for one: they differ in case, in the composition of letters, or in
    /// dots and spaces at the ends of names only.
    ///
    /// - Parameter other: Another path.
    /// - Returns: `true` also for equal paths.
    package func mayBeSame(as other: ItemPath) -> Bool { looselyFolded == other.looselyFolded }

    /// The path in the form in which all spellings that some storage takes for one are equal.
    package var looselyFolded: ItemPath {
        components.reduce(.root) { folder, component in
            var name = String(component).precomposedStringWithCanonicalMapping
                .folding(options: .caseInsensitive, locale: nil)
            while let last = name.last, last == " " || last == ".", name.count > 1 { name.removeLast() }
            return folder.appending(component: name)
        }
    }
}
