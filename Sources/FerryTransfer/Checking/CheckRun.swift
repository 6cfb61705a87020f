import FerryCore
import Foundation

/// Compares both sides of a transfer, folder by folder, several files at a time.
struct CheckRun: Sendable {
    /// Two files that listings can't tell apart.
    private struct Pair: Sendable {
        let path: ItemPath
        let item: FileObject
        let other: FileObject
        let sameness: Sameness

        /// The reason why the two can't be compared; `nil` for files, of which more could be known.
        var obstacle: String? { item.isSymbolicLink ? "where the links lead is not known" : nil }
    }

    private enum Step: Sendable {
        case looked(TransferCheck, pairs: [Pair], folders: [TransferFolder])
        case compared(TransferCheck)
    }

    /// Pairs that may wait while listing goes on.
    private static let lookAhead = 2_000

    private let transfer: Transfer
    private let control: TransferControl
    private let progress: Progress?
    private let contents: ContentComparison
    private let walk: TransferWalk
    private let concurrency: Int

    init(_ transfer: Transfer, _ uploads: UploadMemory?, control: TransferControl, progress: Progress?) {
        // Whatever it is for, here it only looks.
        var comparing = transfer
        comparing.options.mode = .sync
        comparing.options.keepsNewer = false
        comparing.options.keepsExisting = false
        comparing.options.replacesFiles = true
        self.transfer = comparing
        self.control = control
        self.progress = progress
        contents = ContentComparison(source: transfer.source, target: transfer.target, control: control)
        let ledger = TransferLedger(progress: nil, events: nil)
        let run = TransferRun(comparing, isExecuting: false, ledger: ledger, uploads: uploads)
        walk = run.walk
        concurrency = run.most
    }

    /// Compares.
    ///
    /// - Returns: The findings, in the order of the paths.
    /// - Throws: When one of the top folders can't be listed; `CancellationError`.
    func go() async throws -> TransferCheck {
        let (source, target) = (transfer.source, transfer.target)
        let item = try await walk.retryState.retrying { try await source.storage.attributesOfItem(path: source.top) }
        let other = try await walk.retryState.retrying { try await target.storage.attributesOfItem(path: target.top) }
        var check = TransferCheck()
        guard item.isDirectory, other.isDirectory else {
            let (sameness, isBySize) = await walk.compare(single: item, other)
            var check = try await compare(Pair(path: .root, item: item, other: other, sameness: sameness))
            if isBySize, !transfer.options.readsContents { check.comparedBySize = check.same }
            return check
        }
        try await sweep(TransferFolder(top: source.top, isAtTarget: true), &check)
        check.sort()
        return check
    }

    private func sweep(_ top: TransferFolder, _ check: inout TransferCheck) async throws {
        check = try await withThrowingTaskGroup(of: Step.self, returning: TransferCheck.self) { group in
            var check = TransferCheck()
            var folders = [top]
            var pairs: [Pair] = []
            var (looking, comparing) = (0, 0)
            while true {
                while looking < min(8, concurrency), pairs.count < Self.lookAhead, let folder = folders.popLast() {
                    looking += 1
                    group.addTask { try await look(into: folder) }
                }
                while comparing < concurrency, let pair = pairs.popLast() {
                    comparing += 1
                    group.addTask { .compared(try await compare(pair)) }
                }
                guard let step = try await group.next() else { return check }
                switch step {
                case .looked(let found, let more, let below):
                    looking -= 1
                    check.add(found)
                    pairs += more
                    folders += below.reversed()
                case .compared(let found):
                    comparing -= 1
                    check.add(found)
                }
                progress?.completedUnitCount = Int64(check.same + check.differing.count + check.uncompared.count)
            }
        }
    }

    private func look(into folder: TransferFolder) async throws -> Step {
        try await control.pass()
        let findings = try await walk.look(into: folder)
        var check = TransferCheck()
        for (unlisted, error) in zip(findings.unlisted, findings.errors) {
            if unlisted.path.isRoot { throw error }
            check.unreadable.append(.init(unlisted.path, problem: unlisted.reason))
        }
        if !transfer.options.readsContents { check.comparedBySize = findings.decision.comparedBySize }
        var pairs: [Pair] = []
        var folders: [TransferFolder] = []
        for action in findings.decision.actions {
            switch (action.source, action.target) {
            case (let item?, let other?) where action.kind == .skip || action.kind == .setDates:
                pairs.append(Pair(path: action.path, item: item, other: other, sameness: .same))
            case (let item?, let other?) where action.kind == .update:
                let difference = Sameness.Difference(action.reason)
                pairs.append(Pair(path: action.path, item: item, other: other, sameness: .different(difference)))
            case _ where action.reason == .hidden: break  // nobody knows
            case _ where action.kind == .refuse:
                check.unreadable.append(.init(action.path, problem: action.reason.words))
            default: check.missing.append(.init(action.path))
            }
        }
        let missing = Set(check.missing.map(\.path))
        for below in findings.decision.folders where !missing.contains(below.path) { folders.append(below) }
        for removal in findings.decision.removals {
            if removal.reason == .otherType {
                check.differing.append(.init(removal.path, .type))
            } else {
                check.extra.append(.init(removal.path))
            }
        }
        return .looked(check, pairs: pairs, folders: folders)
    }

    /// Compares two files as far as the options say.
    private func compare(_ pair: Pair) async throws -> TransferCheck {
        try await control.pass()
        var check = TransferCheck()
        do {
            if let difference = try await difference(pair) {
                if difference == .unknown {
                    check.uncompared.append(.init(pair.path, difference, problem: pair.obstacle))
                } else {
                    check.differing.append(.init(pair.path, difference))
                }
            } else {
                check.same += 1
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            check.unreadable.append(.init(pair.path, problem: error.reasonInWords))
        }
        return check
    }

    private func difference(_ pair: Pair) async throws -> Sameness.Difference? {
        let (item, other) = (pair.item, pair.other)
        guard item.isRegularFile, other.isRegularFile else {
            if case .different(let difference) = pair.sameness { return difference }
            return nil
        }
        if let first = item.size, let second = other.size, first != second { return .size }
        if transfer.options.readsContents {
            let isSame = try await walk.retryState.retrying { try await contents.isSameByContents(item, other) }
            return isSame ? nil : .contents
        }
        guard case .different(let difference) = pair.sameness else { return nil }
        // A checksum says more than a date.
        guard difference == .unknown || difference == .date else { return difference }
        let readsBoth = transfer.options.comparison == .checksum
        let isSame = try await walk.retryState.retrying {
            try await contents.isSameByChecksum(item, other, readsBoth: readsBoth)
        }
        return isSame.map { $0 ? nil : .checksum } ?? difference
    }
}

extension TransferCheck {
    fileprivate mutating func add(_ other: TransferCheck) {
        same += other.same
        comparedBySize += other.comparedBySize
        differing += other.differing
        uncompared += other.uncompared
        missing += other.missing
        extra += other.extra
        unreadable += other.unreadable
    }

    fileprivate mutating func sort() {
        for list in [\TransferCheck.differing, \.uncompared, \.missing, \.extra, \.unreadable] {
            self[keyPath: list].sort { $0.path < $1.path }
        }
    }
}

extension Sameness.Difference {
    fileprivate init(_ reason: TransferAction.Reason) {
        self =
            switch reason {
            case .size: .size
            case .date: .date
            case .checksum: .checksum
            case .contents: .contents
            case .link: .link
            case .otherType: .type
            default: .unknown
            }
    }
}
