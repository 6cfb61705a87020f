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

    /// Items of a folder that are copied together.
    private static let together = 16

    let provider: SFTPFileProvider
    let line: SFTPLine
    let progress: Progress?

    private var connection: SFTPConnection { line.connection }

    /// Copies an item.
    ///
    /// - Parameters:
    ///   - source: The item.
    ///   - kind: What kind of item it is.
    ///   - target: Where it goes.
    /// - Throws: `SFTPReadRefusal`, `SFTPRefusal`; `CocoaError` for what is neither file, folder nor link.
    func copy(_ source: SFTPPath, _ kind: FileObject.Kind?, to target: SFTPPath) async throws {
        try progress.checkCancellation()
        switch kind {
        case .directory?: try await copyFolder(source, to: target)
        case .symlink?:
            let text = try await reading { try await connection.begin(.readlink(source)).name() }
            try await connection.begin(.symlink(target, text: text)).success()
        case .other?:
            throw CocoaError.unsupported("copying what is neither a file, a folder nor a link", path: .root)
        case .file?, nil: try await copyFile(source, to: target)
        }
    }

    private func reading<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as SFTPRefusal {
            throw SFTPReadRefusal(refusal: refusal)
        }
    }

    // MARK: - Folders

    private func copyFolder(_ source: SFTPPath, to target: SFTPPath) async throws {
        let attributes = try await reading { try await connection.begin(.lstat(source)).attributes() }
        // It gets its permissions when all is in it: it may be one that nobody may write to.
        try await connection.begin(.mkdir(target)).success()
        let handle = try await reading { try await connection.begin(.opendir(source)).handle(on: connection) }
        while let entries = try await entries(handle) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                var running = 0
                for entry in entries {
                    if running == Self.together { try await group.next() } else { running += 1 }
                    group.addTask {
                        try await copy(
                            source.appending(entry.name),
                            kind(of: entry, in: source),
                            to: target.appending(entry.name)
                        )
                    }
                }
                try await group.waitForAll()
            }
        }
        var final = SFTPAttributes(mode: attributes.permissions.map(UInt32.init))
        final.times = attributes.times
        try await connection.begin(.setstat(target, final)).success()
    }

    private func kind(of entry: SFTPNameEntry, in folder: SFTPPath) async throws -> FileObject.Kind? {
        if let kind = entry.attributes.kind { return kind }
        return try await reading { try await connection.begin(.lstat(folder.appending(entry.name))).attributes().kind }
    }

    private func entries(_ handle: SFTPHandle) async throws -> [SFTPNameEntry]? {
        try await reading {
            switch try await connection.begin(.readdir(handle.name)).response() {
            case .names(let names):
                guard !names.isEmpty else { throw SFTPProtocolError("an empty part of a listing") }
                return try names.filter { entry in
                    guard !entry.name.isEmpty, !entry.name.contains(UInt8(ascii: "/")), !entry.name.contains(0) else {
                        throw SFTPProtocolError("a listing with a name that can't be one")
                    }
                    return entry.name != [46] && entry.name != [46, 46]
                }
            case .status(let status) where status.code == .endOfFile: return nil
            case .status(let status): throw SFTPRefusal(status: status)
            default: throw SFTPProtocolError("an answer of the wrong kind")
            }
        }
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
