import FerryCore
import Foundation

/// Lists one folder of both sides, and decides what to do there.
struct TransferWalk: Sendable {
    /// A folder to look into.
    struct Folder: Sendable {
        /// From the top of the transfer.
        let path: ItemPath
        /// Whether the target has it.
        let isAtTarget: Bool
    }

    /// What came of a folder.
    struct Findings: Sendable {
        var decision = FolderPlanner.Decision()
        /// Removals, each with the items that go with it.
        var removals: [(action: TransferAction, count: Int)] = []
        /// Items that the target has here, and in folders that only it has.
        var found = 0
        var unlisted: [TransferPlan.Unlisted] = []
        /// What the failures were.
        var errors: [any Error] = []
    }

    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions
    let patience: Patience
    let planner: FolderPlanner

    init(_ transfer: Transfer) {
        source = transfer.source
        target = transfer.target
        options = transfer.options
        patience = Patience(transfer.retryPolicy, clock: transfer.clock)
        planner = FolderPlanner(options, from: source.storage.capabilities, to: target.storage.capabilities)
    }

    /// Looks into a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Returns: What to do. Where a side could not be listed, nothing is to be done there.
    /// - Throws: `CancellationError` only.
    func look(into folder: Folder) async throws -> Findings {
        var findings = Findings()
        async let theirs = list(target, folder.path, exists: folder.isAtTarget)
        let ours = try await list(source, folder.path, exists: true)
        let (items, others) = (ours, try await theirs)
        for (side, result) in [(false, items), (true, others)] {
            guard case .failure(let error) = result else { continue }
            findings.note(error, folder.path, isAtTarget: side)
        }
        guard case .success(let source) = items, case .success(let target) = others else { return findings }
        findings.decision = planner.decide(in: folder.path, source: source, target: target)
        findings.found = target.count
        try await survey(&findings)
        return findings
    }

    private func list(
        _ place: TransferPlace,
        _ folder: ItemPath,
        exists: Bool
    ) async throws -> Result<[FileObject], any Error> {
        guard exists else { return .success([]) }
        do {
            let items = try await patience.retrying {
                try await place.storage.contentsOfDirectory(path: place.path(folder))
            }
            // What is not complete yet belongs to whoever writes it, maybe to this transfer.
            return .success(items.filter { !UnfinishedName.isOne($0.name) })
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }

    /// Looks into the folders that only the target has.
    private func survey(_ findings: inout Findings) async throws {
        let tree = ExtraTree(storage: target.storage, top: target.top, filter: options.filter)
        for removal in findings.decision.removals {
            guard let item = removal.target, item.isDirectory else {
                findings.removals.append((removal, 1))
                continue
            }
            do {
                let survey = try await patience.retrying { try await tree.survey(item, at: removal.path) }
                findings.found += survey.found - 1
                for (index, action) in survey.removals.enumerated() {
                    // All of them go with the first, as far as counting is concerned.
                    findings.removals.append((action, index == 0 ? survey.removed : 0))
                }
                if !survey.isClear, removal.reason == .otherType {
                    // It stays in the way, with what is left alone in it.
                    findings.decision.replacements.removeAll { $0.path == removal.path }
                    let refused = TransferAction(
                        .refuse,
                        removal.path,
                        .otherType,
                        source: removal.source,
                        target: removal.target
                    )
                    findings.decision.actions.append(refused)
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                findings.note(error, removal.path, isAtTarget: true)
            }
        }
    }
}

extension TransferWalk.Findings {
    fileprivate mutating func note(_ error: any Error, _ path: ItemPath, isAtTarget: Bool) {
        unlisted.append(.init(path: path, isAtTarget: isAtTarget, reason: error.localizedDescription))
        errors.append(error)
    }
}
