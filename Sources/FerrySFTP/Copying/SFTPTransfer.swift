import FerryCore
import Foundation

/// A copy or a move of one item: what it is, and whether it may be done at all.
struct SFTPTransfer: Sendable, Hashable {
    /// Which of the two.
    enum Kind: Sendable, Hashable {
        /// The source stays.
        case copy
        /// The source goes.
        case move
    }

    /// The step to take once it is known what stands at both ends.
    enum Step: Sendable, Hashable {
        /// The item goes to a name that is free.
        case put
        /// The file replaces the file there.
        case replace
        /// The items in the folder go into the folder there.
        case merge
    }

    let kind: Kind
    let source: ItemPath
    let target: ItemPath
    let overwrite: Bool

    /// Refuses what makes no sense whatever is there.
    ///
    /// - Throws: See `FileProviderOperations`.
    func requireSense() throws {
        if source.beginsWithIdentifier || target.beginsWithIdentifier {
            throw CocoaError.unsupported(
                "addressing by identifier",
                path: source.beginsWithIdentifier ? source : target
            )
        }
        if source.isRoot { throw SFTPFileProvider.rootStays(source) }
        if source == target { throw CocoaError.sameItem(source) }
        if target.isBelow(source) { throw CocoaError.intoItself(source, target: target) }
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - item: The kind of item at the source; `nil` if there is none.
    ///   - other: The kind of item at the target.
    /// - Returns: The step to take.
    /// - Throws: See `FileProviderOperations`.
    func step(source item: FileObject.Kind?, target other: FileObject.Kind?) throws -> Step {
        guard let item else { throw CocoaError.noSuchItem(source) }
        guard let other else { return .put }
        guard overwrite, (item == .directory) == (other == .directory), !source.isBelow(target) || item != .directory
        else { throw CocoaError.itemExists(target) }
        return item == .directory ? .merge : .replace
    }
}
