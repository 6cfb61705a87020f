import FerryCore
import Foundation

/// A copy or a move of one item: what it is, and whether it may be done at all.
struct WebDAVTransfer: Sendable {
    /// Which of the two.
    enum Kind: Sendable, Hashable {
        /// The source stays.
        case copy
        /// The source goes.
        case move
    }

    /// The step to take once it is known what stands at both ends.
    enum Step: Sendable, Hashable {
        /// The item goes to a name that is free, or must be.
        case put(isFolder: Bool)
        /// The file replaces the file there.
        case replace
        /// The items in the folder go into the folder there.
        case merge
    }

    let kind: Kind
    let source: ItemPath
    let target: ItemPath
    let overwrite: Bool

    /// Refuses what makes no sense whatever is there; servers don't: one fills its disk with a folder in itself.
    ///
    /// - Parameter traits: The behaviour of the server.
    /// - Throws: See ``FileProviderOperations``.
    func requireSense(_ traits: WebDAVTraits) throws {
        if source.beginsWithIdentifier || target.beginsWithIdentifier {
            throw CocoaError.unsupported(
                "addressing by identifier",
                path: source.beginsWithIdentifier ? source : target
            )
        }
        if source.isRoot {
            throw CocoaError.file(.fileWriteNoPermission, path: source, description: "the root stays where it is")
        }
        if isRename(traits) { return }
        let (own, other) = (traits.folded(source), traits.folded(target))
        if own == other { throw CocoaError.sameItem(source) }
        if other.isBelow(own) { throw CocoaError.intoItself(source, target: target) }
        if !target.isRoot { try traits.requireName(of: target) }
    }

    /// Returns whether the item only gets another spelling of a name that the server takes for the same.
    ///
    /// - Parameter traits: The behaviour of the server.
    /// - Returns: `true` if only the spelling of the name changes.
    func isRename(_ traits: WebDAVTraits) -> Bool {
        kind == .move && source != target && source.parent == target.parent
            && traits.folded(source) == traits.folded(target)
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - state: The item at the source.
    ///   - other: The item at the target; `nil` if nobody looked, since nothing there may be replaced.
    /// - Returns: The step to take.
    /// - Throws: See ``FileProviderOperations``.
    func step(source state: WebDAVItemState, target other: WebDAVItemState?) throws -> Step {
        switch (state, other) {
        case (.missing, _): throw CocoaError.noSuchItem(source)
        case (.unknown(let error), _), (_, .unknown(let error)): throw error
        case (.folder, nil), (.folder, .missing): return .put(isFolder: true)
        case (.file, nil), (.file, .missing): return .put(isFolder: false)
        case (.file, .file) where overwrite: return .replace
        case (.folder, .folder) where overwrite: return .merge
        case (.file, _), (.folder, _): throw CocoaError.itemExists(target)
        }
    }
}

extension WebDAVTraits {
    /// The path as the server compares it.
    ///
    /// - Parameter path: Any path.
    /// - Returns: A path that is equal for all that the server takes for the same item.
    func folded(_ path: ItemPath) -> ItemPath {
        if isCaseSensitive, distinguishesNormalizationForms { return path }
        return path.components.reduce(.root) { folder, component in
            var name = String(component)
            if !distinguishesNormalizationForms { name = name.precomposedStringWithCanonicalMapping }
            if !isCaseSensitive { name = name.lowercased() }
            return folder.appending(component: name)
        }
    }
}
