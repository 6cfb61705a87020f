import FerryCore
import Foundation
import NIOCore

/// The source of a copy can't be read: the error is about it, and not about the target.
struct SFTPReadRefusal: Error {
    let refusal: SFTPRefusal
}

/// Copies an item with all below it to a place where nothing is.
struct SFTPTreeCopier: Sendable {
    /// Bytes that the server copies before it is asked again: nobody else is answered meanwhile.
    private static let portion: Int64 = 32 << 20

    /// Items of the whole tree that are copied together: each has up to two handles, of which servers allow so many.
    private static let together = 16

    let provider: SFTPFileProvider
    let line: SFTPLine
    let progress: Progress?

    private var connection: SFTPConnection { line.connection }

    /// An item that is to be copied.
    private struct Job {
        let source: SFTPPath
        /// `nil` if the listing doesn't say it.
        let kind: FileObject.Kind?
        let target: SFTPPath
    }

    /// A folder that was made, and what is in it.
    private struct Folder {
        let target: SFTPPath
        let final: SFTPAttributes
        let items: [Job]
    }

    /// Copies an item with all below it.
    ///
    /// - Parameters:
    ///   - source: The item.
    ///   - kind: The kind of item.
    ///   - target: Where it goes.
    /// - Throws: `SFTPReadRefusal`, `SFTPRefusal`; `CocoaError` for what is neither file, folder nor link.
    func copy(_ source: SFTPPath, _ kind: FileObject.Kind?, to target: SFTPPath) async throws {
        var waiting = [Job(source: source, kind: kind, target: target)]
        var made: [(target: SFTPPath, final: SFTPAttributes)] = []
        try await withThrowingTaskGroup(of: Folder?.self) { group in
            var running = 0
            while true {
                while running < Self.together, let job = waiting.popLast() {
                    running += 1
                    group.addTask { try await copy(job) }
                }
                guard let result = try await group.next() else { return }
                running -= 1
                guard let folder = result else { continue }
                made.append((folder.target, folder.final))
                waiting += folder.items
            }
        }
        // Now that all is in them: a folder may be one that nobody may write to. The innermost first.
        var settings: ArraySlice<SFTPPendingAnswer> = []
        for (folder, final) in made.reversed() {
            if settings.count >= Self.together { try await settings.removeFirst().success() }
            settings.append(connection.begin(.setstat(folder, final)))
        }
        for setting in settings { try await setting.success() }
    }

    /// Copies an item, but not what is in a folder, which is returned.
    private func copy(_ job: Job) async throws -> Folder? {
        try progress.checkCancellation()
        var kind = job.kind
        if kind == nil {
            kind = try await reading { try await connection.begin(.lstat(job.source)).attributes().kind }
        }
        switch kind {
        case .directory?: return try await copyFolder(job.source, to: job.target)
        case .symlink?:
            let text = try await reading { try await connection.begin(.readlink(job.source)).name() }
            try await connection.begin(.symlink(job.target, text: text)).success()
        case .other?:
            throw CocoaError.unsupported("copying what is neither a file, a folder nor a link", path: .root)
        case .file?, nil: try await copyFile(job.source, to: job.target)
        }
        return nil
    }

    private func reading<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as SFTPRefusal {
            throw SFTPReadRefusal(refusal: refusal)
        }
    }

    // MARK: - Folders

    private func copyFolder(_ source: SFTPPath, to target: SFTPPath) async throws -> Folder {
        let attributes = try await reading { try await connection.begin(.lstat(source)).attributes() }
        try await connection.begin(.mkdir(target)).success()
        let handle = try await reading { try await connection.begin(.opendir(source)).handle(on: connection) }
        var items: [Job] = []
        var last: [SFTPNameEntry] = []
        while let part = try await reading({ try await connection.begin(.readdir(handle.name)).entries(after: last) }) {
            last = part
            items += part.filter { !$0.isDots }.map { entry in
                Job(
                    source: source.appending(entry.name),
                    kind: entry.attributes.kind,
                    target: target.appending(entry.name)
                )
            }
        }
        var final = SFTPAttributes(mode: attributes.permissions.map(UInt32.init))
        final.times = attributes.times
        return Folder(target: target, final: final, items: items)
    }

    // MARK: - Files

    private func copyFile(_ source: SFTPPath, to target: SFTPPath) async throws {
        let reader = try await reading { try await connection.begin(.open(source, .read)).handle(on: connection) }
        let attributes = try await reading { try await connection.begin(.fstat(reader.name)).attributes() }
        guard let size = attributes.size.map({ Int64(clamping: $0) }) else {
            throw SFTPProtocolError("a file without a size")
        }
        progress?.announceTransfer(of: size)
        let opening = SFTPRequest.open(target, [.write, .create, .exclusive], SFTPAttributes(mode: 0o600))
        let writer = try await connection.begin(opening).handle(on: connection)
        if line.facts.has(.copyData) {
            try await copyOnServer(reader, to: writer, size)
        } else {
            try await copyThroughHere(reader, to: writer, size)
        }
        let final = SFTPAttributes(mode: attributes.permissions.map(UInt32.init), times: attributes.times)
        let written = try await SFTPFileEnding(writer, attributes: final, WriteOptions(), line).finish()
        guard written.size == UInt64(size) else {
            // OpenSSH calls a copy well done for which the disk had no room.
            throw SFTPRefusal(status: SFTPStatus(.failure, "\(written.size ?? 0) of \(size) bytes were copied"))
        }
    }

    private func copyOnServer(_ reader: SFTPHandle, to writer: SFTPHandle, _ size: Int64) async throws {
        var offset: Int64 = 0
        while offset < size {
            try progress.checkCancellation()
            let length = min(Self.portion, size - offset)
            let request = SFTPRequest.copyData(
                reader.name,
                offset: UInt64(offset),
                length: UInt64(length),
                to: writer.name,
                at: UInt64(offset)
            )
            try await connection.begin(request).success()
            offset += length
            progress?.completedUnitCount += length
        }
    }

    private func copyThroughHere(_ reader: SFTPHandle, to writer: SFTPHandle, _ size: Int64) async throws {
        let chunks = SFTPFileReader([reader], range: 0..<size, request: line.facts.limits.readLength)
        connection.window.enter()
        defer { connection.window.leave() }
        var file = SFTPFileWriter([writer], at: 0, request: line.facts.limits.writeLength) {
            progress?.completedUnitCount += $0
        }
        while let chunk = try await reading({ try await chunks.next() }) {
            try progress.checkCancellation()
            try await file.append(chunk)
        }
        try await file.flush()
        try await file.settle()
    }
}
