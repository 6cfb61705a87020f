import FerryCore
import Foundation
import Synchronization

// Files that come together, and are written down together.

extension UndoRecorder {
    /// Returns what is known beforehand of a file that is written.
    ///
    /// - Parameters:
    ///   - path: Its place.
    ///   - size: Bytes that will be written; `nil` if that is not known.
    ///   - modifiedDate: The date that it is to have.
    /// - Returns: The item as it will be there, as far as the storage keeps it.
    func expected(_ path: ItemPath, size: Int64?, modifiedDate: Date?) -> ItemStamp {
        var file = FileObject(path: path, type: .file)
        file.size = size
        let capabilities = storage.base.capabilities
        if capabilities.setsModifiedDate, let precision = capabilities.datePrecision, precision <= .milliseconds(1) {
            file.modifiedDate = modifiedDate
        }
        return ItemStamp(file)
    }

    /// Returns what is written down of a file before it comes.
    func intended(_ file: ComingFiles.File) -> UndoStep {
        .added(file.path, expected(file.path, size: file.size, modifiedDate: file.modifiedDate), again: nil)
    }

    /// Puts a file to a place where nothing is, as one of those that were announced.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - expected: The item as it will be there.
    ///   - body: The operation.
    ///   - what: A closure that returns the item as the operation reports it.
    /// - Returns: The value that the operation returns; `nil` if it was not announced, and nothing was done.
    /// - Throws: Any error that the operation throws.
    func putAnnounced<Result: Sendable>(
        _ path: ItemPath,
        expected: ItemStamp?,
        _ body: () async throws -> Result,
        what: @escaping @Sendable (Result) -> FileObject?
    ) async throws -> Result? {
        // Whoever does not look at the end would never hear of those that did not come.
        guard policy.looksLater, let journal, let expected, expected.size != nil,
            let files = OperationContext.current.comingFiles,
            let together = files.record({ ComingFilesRecord(of: files) })
        else { return nil }
        let ticket = try await together.begin(path, expected, by: self) { entry in
            open.withLock { $0[entry.id] = together }
            try await journal.begins(entry)
        }
        guard let ticket else { return nil }
        let result: Result
        do {
            result = try await body()
        } catch {
            // It was said to fail: what is there now may be somebody else's, and stays.
            await note(together.end(ticket, []))
            throw error
        }
        noteWritten([path])
        await note(together.end(ticket, cameAs(ticket.intended, what(result), expected)))
        return result
    }

    /// Returns what is noted of a file that has come.
    private func cameAs(_ intended: UndoStep, _ said: FileObject?, _ expected: ItemStamp) async -> [UndoStep] {
        if let said = said?.stampable { return [.added(intended.path, ItemStamp(said), again: nil)] }
        do {
            let item = try await uncancelled { [self] in try await seen(intended.path, said, expected) }
            return item.map { [.added(intended.path, ItemStamp($0), again: nil)] } ?? []
        } catch {
            // It is there; only what it is now can't be seen.
            return [intended]
        }
    }

    private func note(_ entry: UndoEntry?) async {
        guard let entry else { return }
        open.withLock { $0[entry.id] = nil }
        await end(entry)
    }

    /// Notes what has come of files that were announced, where not all did.
    func endAnnounced() async {
        for files in open.withLock({ Array($0.values) }) { await note(files.end()) }
    }
}
