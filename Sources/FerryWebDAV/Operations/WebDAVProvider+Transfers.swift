public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// Moves an item with all below it, on the server.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for a rename, more for merged folders.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let transfer = WebDAVTransfer(kind: .move, source: path, target: target, overwrite: overwrite)
        try await perform(transfer, reporting: progress)
    }

    /// Copies an item with all below it, on the server.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: 1 unit for what the server copies as a whole.
    /// - Throws: See ``/FerryCore/FileProviderOperations``.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        let transfer = WebDAVTransfer(kind: .copy, source: path, target: target, overwrite: overwrite)
        try await perform(transfer, reporting: progress)
    }

    private func perform(_ transfer: WebDAVTransfer, reporting progress: Progress?) async throws {
        try progress.checkCancellation()
        try await withCancellation(by: progress) {
            let traits = try await self.connection.traits()
            try transfer.requireSense(traits)
            if transfer.isRename(traits) { return try await self.respell(transfer, traits) }
            if try await self.meetsItself(transfer) {
                guard transfer.kind == .move else { throw CocoaError.sameItem(transfer.source) }
                return try await self.respell(transfer, traits)
            }
            let source = try await self.state(of: transfer.source)
            // Where nothing may be replaced, most servers refuse to by themselves.
            let looks = transfer.overwrite || !traits.guardsTargets
            let target = looks ? try await self.state(of: transfer.target) : nil
            let step = try transfer.step(source: source, target: target)
            if traits.makesMissingFolders, transfer.source.parent != transfer.target.parent {
                try await self.requireFolder(above: transfer.target)
            }
            switch step {
            case .put(let isFolder): try await self.transfer(transfer, isFolder: isFolder, replacing: false, traits)
            case .replace: try await self.transfer(transfer, isFolder: false, replacing: true, traits)
            case .merge: try await self.merge(transfer, traits, reporting: progress)
            }
        }
        progress?.finish()
    }

    /// Returns whether the server takes the target for the source, or for a folder above itself, though nobody has
    /// known that.
    ///
    /// To replace it would be to remove the source.
    ///
    /// - Throws: `CocoaError` of a folder that would go into itself.
    private func meetsItself(_ transfer: WebDAVTransfer) async throws -> Bool {
        var above = transfer.target
        while above.components.count > transfer.source.components.count { above = above.parent }
        guard above.mayBeSame(as: transfer.source), above != transfer.source,
            try await isSameItem(transfer.source, above)
        else { return false }
        if above == transfer.target { return true }
        throw CocoaError.intoItself(transfer.source, target: transfer.target)
    }

    /// Spares a server that would make the folder.
    private func requireFolder(above path: ItemPath) async throws {
        switch try await state(of: path.parent) {
        case .folder: return
        case .missing: throw CocoaError.noSuchItem(path.parent)
        case .file: throw CocoaError.notAFolder(path.parent, whileWriting: true)
        case .unknown(let error): throw error
        }
    }

    /// Moves or copies one item as a whole.
    ///
    /// - Parameters:
    ///   - transfer: Which item, and where it goes.
    ///   - isFolder: `true` if it is a folder.
    ///   - isReplacing: `true` if a file there is to be replaced.
    ///   - traits: The behaviour of the server.
    /// - Throws: See ``FileProviderOperations``.
    func transfer(
        _ transfer: WebDAVTransfer,
        isFolder: Bool,
        replacing isReplacing: Bool,
        _ traits: WebDAVTraits
    ) async throws {
        switch transfer.kind {
        case .move:
            if traits.keepsLocksOfNames { await connection.endLocks(below: transfer.source) }
            try await settle(
                transfer.source,
                at: transfer.target,
                isFolder: isFolder,
                replacing: isReplacing,
                isTemporary: false
            )
            connection.locks.forget(below: transfer.source)
        case .copy:
            // A copy that breaks off would stay incomplete under the name, or in place of the file that was there.
            let temporary = transfer.target.parent.appending(TemporaryName.makeForCopy(for: traits))
            try await connection.withTemporary(temporary, isFolder: isFolder) { answered in
                let reply = try await change(
                    .copy(source: .item(transfer.source), destination: .item(temporary)),
                    isFolder: isFolder
                )
                answered()
                if let failure = try await connection.failure(in: reply, path: transfer.target, under: temporary) {
                    // Of a folder, the one of an item in it: lighttpd lists the folder itself, too.
                    let isOfItself = [transfer.source, transfer.target].contains(failure.path)
                    if !isOfItself { throw await refusal(failure) }
                    throw await refusalToPut(
                        failure,
                        at: transfer.target,
                        length: nil,
                        condition: isReplacing ? .none : .absence
                    )
                }
                try await settle(temporary, at: transfer.target, isFolder: isFolder, replacing: isReplacing)
            }
        }
    }

    /// Gives an item another spelling of its name, by way of a third: to the server both are the same.
    private func respell(_ transfer: WebDAVTransfer, _ traits: WebDAVTraits) async throws {
        try traits.requireName(of: transfer.target)
        let isFolder =
            switch try await state(of: transfer.source) {
            case .missing: throw CocoaError.noSuchItem(transfer.source)
            case .unknown(let error): throw error
            case .folder: true
            case .file: false
            }
        let between = transfer.source.parent.appending(TemporaryName.make(for: traits))
        try await settle(transfer.source, at: between, isFolder: isFolder, replacing: false)
        do {
            try await settle(between, at: transfer.target, isFolder: isFolder, replacing: false)
        } catch {
            // Back to where it was.
            let back: Void? = try? await uncancelled {
                try await self.settle(between, at: transfer.source, isFolder: isFolder, replacing: false)
            }
            throw back != nil ? error : Self.stranded(transfer, at: between, error)
        }
    }

    private static func stranded(
        _ transfer: WebDAVTransfer,
        at path: ItemPath,
        _ error: any Error
    ) -> CocoaError {
        .file(
            .fileWriteUnknown,
            path: transfer.source,
            description: "it got neither its new name nor its old one again: it is \(path.lastName) now",
            suggestion: "move it from \(path) to where it belongs",
            underlying: error
        )
    }
}
