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

    /// A file that was announced, and is about to come.
    struct Announced {
        let path: ItemPath
        let ticket: ComingFilesRecord.Ticket
        /// The record of all the files that were announced with it.
        let together: ComingFilesRecord
        let expected: ItemStamp
    }

    /// Writes down a file that was announced, with all others of its folder, before it comes to a place where nothing is.
    ///
    /// - Parameters:
    ///   - path: The place.
    ///   - expected: The item as it will be there.
    /// - Returns: The file, which ``endAnnounced(_:_:)`` or ``endAnnounced(failed:)`` is called for; `nil` if it was not
    ///   announced.
    /// - Throws: Why it can't be written down.
    func beginAnnounced(_ path: ItemPath, _ expected: ItemStamp?) async throws -> Announced? {
        // Whoever does not look at the end would never hear of those that did not come.
        guard policy.looksLater, let journal, let expected, expected.size != nil,
            let files = OperationContext.current.comingFiles,
            let together = files.record({ ComingFilesRecord(of: files) })
        else { return nil }
        let ticket = try await together.begin(path, expected, by: self) { entry in
            open.withLock { $0[entry.id] = together }
            try await journal.begins(entry)
        }
        return ticket.map { Announced(path: path, ticket: $0, together: together, expected: expected) }
    }

    /// Notes a file that was announced, and has come.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - said: The item as the operation reported it.
    func endAnnounced(_ file: Announced, _ said: FileObject?) async {
        noteWritten([file.path])
        let steps: [UndoStep]
        do {
            var item = said?.stampable
            if item == nil { item = try await uncancelled { [self] in try await seen(file.path, said, file.expected) } }
            steps = item.map { [.added(file.path, ItemStamp($0), again: nil)] } ?? []
        } catch {
            // It is there; only what it is now can't be seen.
            steps = [file.ticket.intended]
        }
        await note(file.together.end(file.ticket, steps))
    }

    /// Notes a file that was announced, and has not come.
    func endAnnounced(failed file: Announced) async {
        // It was said to fail: what is there now may be somebody else's, and stays.
        await note(file.together.end(file.ticket, []))
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
