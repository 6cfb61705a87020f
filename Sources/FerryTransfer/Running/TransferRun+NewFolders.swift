import FerryCore
import Foundation

// Folders that come together with the small files in them.

extension TransferRun {
    /// The findings in a folder that is not made yet, or was made together with files that go into it.
    struct NewFolder {
        var findings: TransferWalk.Findings
        var isMade = false
        /// Files that may be there, though nobody has said so.
        var begun: [TransferAction] = []
    }

    /// Looks into a folder that the target lacks, and makes it together with small files, if it is quicker so.
    ///
    /// - Returns: `nil` if nothing was done.
    func makeTogether(_ folder: TransferFolder, _ action: TransferAction) async throws -> NewFolder? {
        guard !folder.isUncertain, !transfer.target.path(folder.path).isRoot, let copier = newFolderCopier else {
            return nil
        }
        if folder.path.isRoot, performer.copier.journal?.isResumed == true { await walk.removeLeftoversBesideTop() }
        var new = NewFolder(findings: try await walk.look(into: folder))
        let places = copier.choose(from: new.findings.decision.actions)
        if places.isEmpty { return new }
        let all = new.findings.decision.actions
        // Mostly all of them are, and a folder may have very many.
        let actions = places.count == all.count ? all : places.map { all[$0] }
        // The folder stands for all that comes with it.
        let whole = TransferAction(.add, folder.path, .missing, source: folder.item)
        ledger.find([whole])
        let item = ledger.began(whole)
        ledger.add(filesFound: actions.count - 1, filesDone: 0, to: item)
        ledger.expect(actions.reduce(0) { $0 + $1.bytes }, of: item)
        var gone = Set(places)
        var done: [Int: NewFolderCopier.Came] = [:]
        do {
            done = try await copier.make(folder.path, actions) { [ledger] files, bytes in
                ledger.add(bytes, to: item)
                ledger.add(filesFound: 0, filesDone: files, to: item)
            }
            new.isMade = true
            gone = Set(done.keys.map { places[$0] })
        } catch let error as CancellationError {
            throw error
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            // Somebody else's.
            gone = []
        } catch {
            // One by one each says what is wrong with it, and is tried as often as any other.
            new.begun = actions
        }
        guard new.isMade else {
            ledger.dissolve(item, whole)
            if !gone.isEmpty { new.findings.decision.actions.remove(at: gone) }
            return new
        }
        retryState.succeeded()
        try await note(actions, done, with: action, item)
        new.findings.decision.actions.remove(at: gone)
        return new
    }

    /// Notes what has come with a folder.
    private func note(
        _ actions: [TransferAction],
        _ done: [Int: NewFolderCopier.Came],
        with folder: TransferAction,
        _ item: TransferLedger.Item
    ) async throws {
        var losses: [TransferReport.Loss: Int] = [:]
        for (index, action) in actions.enumerated() {
            guard let came = done[index] else { continue }
            performer.copier.noteCopied(action)
            walk.uploads?.note(action)
            for loss in try await performer.keepRest(of: action, hasExtendedAttributes: came.hasExtendedAttributes) {
                losses[loss, default: 0] += 1
            }
        }
        ledger.came(folder, with: actions.indices.lazy.filter { done[$0] != nil }.map { actions[$0] }, losses, item)
        for (index, came) in done { review.add(UnseenCopy(length: came.length), of: actions[index]) }
    }
}

extension Array {
    /// Removes what is at some places.
    fileprivate mutating func remove(at places: Set<Int>) {
        self = places.count == count ? [] : indices.filter { !places.contains($0) }.map { self[$0] }
    }
}
