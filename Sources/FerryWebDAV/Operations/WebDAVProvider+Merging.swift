import FerryCore
import Foundation

extension WebDAVProvider {
    /// Puts what is in a folder into another that exists.
    ///
    /// All is looked at first: where a file meets a folder nothing is done at all. What is new there goes as a whole.
    ///
    /// - Parameters:
    ///   - transfer: From which folder to which.
    ///   - traits: The behaviour of the server.
    ///   - progress: 1 unit for each item that goes as a whole; cancelling it stops between two of them.
    /// - Throws: `CocoaError.fileWriteFileExists` where a file meets a folder; `.featureUnsupported` on a server that hides
    ///   some items, which would be left behind or lost, and for a move on one of which nobody knows.
    func merge(_ transfer: WebDAVTransfer, _ traits: WebDAVTraits, reporting progress: Progress?) async throws {
        if transfer.source.isBelow(transfer.target) { throw CocoaError.itemExists(transfer.target) }
        var plan = WebDAVMergePlan()
        try await add(transfer.source, transfer.target, to: &plan)
        // A move ends with removing folders that look empty, which must not only look so.
        if traits.hidesDotNames || transfer.kind == .move && !traits.listsDotNames {
            throw CocoaError.unsupported(
                "merging folders, as the server hides or may hide names that begin with a dot,",
                path: transfer.target
            )
        }
        progress?.totalUnitCount = (progress?.completedUnitCount ?? 0) + Int64(plan.items.count)
        for item in plan.items {
            try progress.checkCancellation()
            let part = WebDAVTransfer(
                kind: transfer.kind,
                source: item.source,
                target: item.target,
                overwrite: item.isReplacing
            )
            try await self.transfer(part, isFolder: item.isFolder, replacing: item.isReplacing, traits)
            progress?.completedUnitCount += 1
        }
        guard transfer.kind == .move else { return }
        // The innermost first. What somebody has put there meanwhile stays.
        for folder in plan.folders.reversed() where try await contentsOfDirectory(path: folder).isEmpty {
            try await remove(folder, isFolder: true)
        }
    }

    /// Compares two folders, and all folders in both of them.
    private func add(_ source: ItemPath, _ target: ItemPath, to plan: inout WebDAVMergePlan) async throws {
        plan.folders.append(source)
        var there: [ItemPath: FileObject] = [:]
        for item in try await contentsOfDirectory(path: target) { there[item.path] = item }
        for item in try await contentsOfDirectory(path: source) {
            try Task.checkCancellation()
            let path = target.appending(item.name)
            switch there[path] {
            case nil: plan.add(item, to: path, isReplacing: false)
            case let other? where other.isDirectory != item.isDirectory: throw CocoaError.itemExists(path)
            case .some where item.isDirectory: try await add(item.path, path, to: &plan)
            case .some: plan.add(item, to: path, isReplacing: true)
            }
        }
    }
}

/// The plan for merging a folder into another.
private struct WebDAVMergePlan {
    struct Item {
        let source: ItemPath
        let target: ItemPath
        let isFolder: Bool
        let isReplacing: Bool
    }

    /// The items that go as a whole.
    var items: [Item] = []

    /// The folders that both have, each before those in it.
    var folders: [ItemPath] = []

    mutating func add(_ item: FileObject, to target: ItemPath, isReplacing: Bool) {
        items.append(
            Item(source: item.path, target: target, isFolder: item.isDirectory, isReplacing: isReplacing)
        )
    }
}
