import FerryCore
import Foundation

/// Lists one folder of both sides, and decides what to do there.
struct TransferWalk: Sendable {
    /// The findings in a folder.
    struct Findings: Sendable {
        var decision = FolderPlanner.Decision()
        /// Removals, each with the items that go with it.
        var removals: [(action: TransferAction, count: Int)] = []
        /// Items that the target has here, and in folders that only it has.
        var found = 0
        var unlisted: [TransferPlan.Unlisted] = []
        /// The errors of the failures.
        var errors: [any Error] = []
    }

    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions
    let retryState: RetryState
    let planner: FolderPlanner

    /// Indicates whether every single item to be removed is named.
    let namesAll: Bool

    /// Remembers what was written to the target, where listings tell too little; `nil` if nothing is remembered.
    let uploads: UploadMemory?

    /// Looks into a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: The findings. Where a side could not be listed, nothing is to be done there.
    /// - Throws: `CancellationError` only.
    func look(into folder: TransferFolder) async throws -> Findings {
        var findings = Findings()
        async let theirs = list(
            target.storage,
            target.path(folder.path),
            exists: folder.isAtTarget,
            removesLeftovers: true
        )
        let ours = try await list(
            source.storage,
            folder.sourcePath,
            exists: true,
            // A folder that is new at the target is read at once, and all of it.
            readsAll: !folder.isAtTarget && !namesAll
        )
        let (items, others) = (ours, try await theirs)
        for (side, result) in [(false, items), (true, others)] {
            guard case .failure(let error) = result else { continue }
            findings.note(error, folder.path, isAtTarget: side)
        }
        guard case .success(let source) = items, case .success(var target) = others else { return findings }
        if folder.isAtTarget {
            do {
                target += try await hiddenItems(beside: target, for: source, in: folder)
            } catch let error as CancellationError {
                throw error
            } catch {
                findings.note(error, folder.path, isAtTarget: true)
                return findings
            }
        }
        let uploads = target.isEmpty ? nil : await uploads?.uploads(in: self.target.path(folder.path))
        let decision = planner.decide(in: folder, source: source, target: target, uploads: uploads ?? [:])
        do {
            try await requireCompleteListing(decision.removals, of: folder)
        } catch let error as CancellationError {
            throw error
        } catch {
            findings.note(error, folder.path, isAtTarget: false)
            return findings
        }
        findings.decision = decision
        findings.found = target.count
        try await followLinks(&findings.decision.actions)
        try await survey(&findings, in: folder)
        return findings
    }

    /// Decides about a transfer of a single file.
    func decide(single item: FileObject, _ other: FileObject?) async -> FolderPlanner.Decision {
        planner.decide(single: item, other, upload: await uploadAtTop(other))
    }

    /// Compares the tops of both sides, two files.
    ///
    /// - Returns: The result of the comparison, and whether only their sizes could be compared.
    func compare(single item: FileObject, _ other: FileObject) async -> (Sameness, isBySize: Bool) {
        let upload = await uploadAtTop(other)
        let sameness = planner.comparison.compare(item, with: other, writtenAs: upload)
        return (sameness, sameness == .same && planner.isComparedBySize(item, other, upload))
    }

    private func uploadAtTop(_ other: FileObject?) async -> UploadMemory.Upload? {
        guard other != nil, let uploads, !target.top.isRoot else { return nil }
        return await uploads.uploads(in: target.top.parent)[target.top.lastName]
    }

    /// Names that are asked for one by one before anything is removed because a listing lacks them.
    private static let askedNames = 3

    /// Makes sure that what the source's listing lacks is not there, as far as a few questions tell.
    ///
    /// Some servers list only a part of a folder, and don't say so.
    private func requireCompleteListing(_ removals: [TransferAction], of folder: TransferFolder) async throws {
        let extras = removals.filter { $0.reason == .extra }
        guard !source.isNear, !extras.isEmpty else { return }
        // Kept listings would only say the same once more.
        let storage = source.storage.withoutWrappers
        let count = min(Self.askedNames, extras.count)
        for index in 0..<count {
            // Spread, since what is left out is mostly the end.
            let extra = extras[extras.count - 1 - index * (extras.count - 1) / max(1, count - 1)]
            guard let item = extra.target else { continue }
            let name = planner.names.nameAtSource(planner.names.plain(atTarget: item.name))
            let path = folder.sourcePath.appending(name)
            do {
                _ = try await retryState.retrying { try await storage.attributesOfItem(path: path) }
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                continue
            } catch let error as CocoaError where error.code == .fileReadInvalidFileName {
                continue  // what can't have such a name isn't there
            }
            throw CocoaError.file(
                .fileReadUnknown,
                path: folder.sourcePath,
                description: "its listing lacks '\(name)', which is there",
                suggestion: "the server lists only a part of the folder, or somebody is changing it: nothing is removed"
            )
        }
    }

    private func list(
        _ storage: any TransferPlace.Storage,
        _ folder: ItemPath,
        exists: Bool,
        removesLeftovers: Bool = false,
        readsAll: Bool = false
    ) async throws -> Result<[FileObject], any Error> {
        guard exists else { return .success([]) }
        let listed = readsAll ? storage as? any FileProviderListedReading : nil
        do {
            let items = try await retryState.retrying {
                if let listed { return try await listed.contentsToRead(path: folder) }
                return try await storage.contentsOfDirectory(path: folder)
            }
            let unfinished = items.filter { TemporaryName.isOne($0.name) }
            if unfinished.isEmpty { return .success(items) }
            if removesLeftovers { await removeLeftovers(unfinished, from: storage) }
            // Files that are not complete yet belong to whoever writes them, maybe to this transfer.
            return .success(items.filter { !TemporaryName.isOne($0.name) })
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }

    /// Returns what the target has of the source's items whose names begin with a dot, where its listings leave such
    /// names out.
    ///
    /// - Parameters:
    ///   - listed: The items of the target's listing.
    ///   - items: The items of the source's listing.
    ///   - folder: The folder.
    /// - Returns: The items, which were asked for one by one, several at the same time.
    /// - Throws: Why one of them can't be had.
    private func hiddenItems(
        beside listed: [FileObject],
        for items: [FileObject],
        in folder: TransferFolder
    ) async throws -> [FileObject] {
        if target.storage.capabilities.listsDotNames { return [] }
        let known = Set(listed.map(\.name))
        var names = items.map { planner.names.name(planner.names.plain($0.name)) }
            .filter { $0.hasPrefix(".") && !known.contains($0) }[...]
        if names.isEmpty { return [] }
        return try await withThrowingTaskGroup(of: FileObject?.self) { group in
            var found: [FileObject] = []
            func askNext() {
                guard let name = names.popFirst() else { return }
                let path = target.path(folder.path.appending(name))
                group.addTask {
                    try await retryState.retrying { try await target.storage.attributesIfExists(path: path) }
                }
            }
            for _ in 0..<max(1, target.storage.capabilities.recommendedConcurrency) { askNext() }
            while let item = try await group.next() {
                if let item { found.append(item) }
                askNext()
            }
            return found
        }
    }

    /// Removes what an earlier run of this job had under way beside the top, which it would have become.
    func removeLeftoversBesideTop() async {
        guard !target.top.isRoot else { return }
        // Items that can't be seen there are in nobody's way either.
        _ = try? await list(target.storage, target.top.parent, exists: true, removesLeftovers: true)
    }

    /// Removes what an earlier run of this job had under way when it was killed, or a process of this machine that is gone.
    private func removeLeftovers(_ unfinished: [FileObject], from storage: any TransferPlace.Storage) async {
        // Nobody wants it back.
        let storage = storage.withoutRecording
        for item in unfinished
        where (item.isRegularFile || item.isDirectory) && UnfinishedName.wasLeftBehind(item.name) {
            // It is in nobody's way, and the next run tries again.
            try? await storage.removeItem(path: item.path)
        }
    }

    /// Compares links by where they lead, which listings often don't tell.
    private func followLinks(_ actions: inout [TransferAction]) async throws {
        for index in actions.indices {
            let action = actions[index]
            let isRefused = action.kind == .refuse && action.reason == .exists
            guard isRefused || (action.kind == .update && action.reason == .unknown) else { continue }
            guard options.comparison != .nothing, var item = action.source, var other = action.target,
                item.isSymbolicLink, other.isSymbolicLink,
                let first = try await destination(of: item, on: source.storage),
                let second = try await destination(of: other, on: target.storage)
            else { continue }
            item.extras[.linkDestination] = first
            other.extras[.linkDestination] = second
            actions[index].source = item
            if case .different(let difference) = planner.comparison.compare(item, with: other) {
                if !isRefused { actions[index].reason = .init(difference) }
            } else {
                actions[index].kind = options.mode == .move ? .removeSource : .skip
                actions[index].reason = .same
                actions[index].removesSource = false
            }
        }
    }

    /// Where a link leads; `nil` where nobody can tell, and then it is written anew.
    private func destination(of link: FileObject, on storage: any TransferPlace.Storage) async throws -> String? {
        if let known = link.extras[.linkDestination] { return known }
        guard let links = storage as? any FileProviderSymbolicLink else { return nil }
        do {
            return try await retryState.retrying { try await links.destination(ofSymbolicLink: link.path) }
        } catch let error as CancellationError {
            throw error
        } catch {
            // Copying it will say what is wrong.
            return nil
        }
    }

    /// Looks into the folders that only the target has.
    private func survey(_ findings: inout Findings, in folder: TransferFolder) async throws {
        let tree = ExtraTree(
            target: target,
            filter: options.filter,
            names: planner.names,
            namesAll: namesAll,
            retryState: retryState
        )
        for removal in findings.decision.removals {
            guard let item = removal.target, item.isDirectory else {
                findings.removals.append((removal, 1))
                continue
            }
            do {
                let plainPath = folder.plainPath.appending(planner.names.plain(atTarget: item.name))
                let survey = try await tree.survey(item, at: removal.path, plainPath: plainPath)
                findings.found += survey.found - 1
                findings.decision.actions += survey.left
                for (index, action) in survey.removals.enumerated() {
                    // All of them go with the first, as far as counting is concerned.
                    findings.removals.append((action, index == 0 ? survey.removed : 0))
                }
                if !survey.isClear, removal.reason == .otherType { stayInTheWay(removal, &findings) }
            } catch let error as CancellationError {
                throw error
            } catch {
                findings.note(error, removal.path, isAtTarget: true)
            }
        }
    }

    /// A folder in a file's place stays, with what is left alone in it.
    private func stayInTheWay(_ removal: TransferAction, _ findings: inout Findings) {
        findings.decision.replacements.removeAll { $0.action.path == removal.path }
        findings.decision.actions.append(
            TransferAction(.refuse, removal.path, .otherType, source: removal.source, target: removal.target)
        )
    }
}

extension TransferWalk.Findings {
    fileprivate mutating func note(_ error: any Error, _ path: ItemPath, isAtTarget: Bool) {
        unlisted.append(.init(path: path, isAtTarget: isAtTarget, reason: error.reasonInWords))
        errors.append(error)
    }
}
