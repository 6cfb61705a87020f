public import FerryCore
public import Foundation
import NIOCore

extension FTPFileProvider {
    /// Copies an item with all below it: on the server where that has `SITE CPFR`, else by way of this machine.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - progress: Bytes where content passes through here, else 1 unit.
    /// - Throws: See `FileProviderOperations`.
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?
    ) async throws {
        try progress.checkCancellation()
        try requireSense(path, target)
        guard let source = try await item(at: path, reporting: progress) else { throw CocoaError.noSuchItem(path) }
        let there = try await item(at: target, reporting: progress)
        switch (source.isDirectory, there) {
        case (_, nil): break
        case (true, let other?) where other.isDirectory && overwrite: try await requireMergeable(path, into: target)
        case (false, let other?) where !other.isDirectory && overwrite: break
        default: throw CocoaError.itemExists(target)
        }
        if source.isDirectory {
            try await copyFolder(path, to: target, isNew: there == nil, progress)
        } else {
            try await copyFile(source, to: target, overwrite: overwrite, progress)
        }
        progress?.finish()
    }

    /// Copies a folder under a temporary name that is renamed when it is complete, or into one that exists.
    private func copyFolder(_ path: ItemPath, to target: ItemPath, isNew: Bool, _ progress: Progress?) async throws {
        guard isNew else { return try await copyContents(of: path, to: target, progress) }
        let temporary = TemporaryName.make(beside: target)
        do {
            try await call(target, isWriting: true) { session in
                let reply = try session.command("MKD", try session.server.path(of: temporary))
                if reply.isRefusal { throw try session.explained(.refusal(reply), writing: target) }
            }
            try await copyContents(of: path, to: temporary, progress)
            try await call(target, isWriting: true) { try $0.move(temporary, to: target) }
        } catch {
            await uncancelled { try? await self.removeItem(path: temporary, reporting: nil) }
            throw error
        }
    }

    private func copyContents(of path: ItemPath, to target: ItemPath, _ progress: Progress?) async throws {
        for item in try await contentsOfDirectory(path: path) {
            try progress.checkCancellation()
            let copy = target.appending(item.name)
            if item.isDirectory {
                try await create(folder: item.name, at: target, creatingParents: true)
                try await copyContents(of: item.path, to: copy, progress)
            } else {
                try await copyFile(item, to: copy, overwrite: true, progress)
            }
        }
    }

    private func copyFile(_ item: FileObject, to target: ItemPath, overwrite: Bool, _ progress: Progress?) async throws
    {
        if server.known.copiesOnServer {
            let path = item.path
            try await call(target, isWriting: true, reporting: progress) { session in
                try session.copyFile(path, to: target, overwrite: overwrite)
            }
            return
        }
        let stream = try await contentStream(path: item.path, range: .all, reporting: nil)
        let options = WriteOptions(overwrite: overwrite)
        guard pool.limit < 2 else {
            try await writeStream(
                path: target,
                contents: stream,
                length: stream.facts.range.map { Int64($0.count) },
                options: options,
                reporting: progress
            )
            return
        }
        // With one connection, reading must end before writing begins.
        try await withSpooledContents(of: stream, reporting: progress) { contents, length in
            _ = try await writeStream(
                path: target,
                contents: contents,
                length: length,
                options: options,
                reporting: progress
            )
        }
    }
}

extension FTPSession {
    /// Copies a file on the server (`mod_copy`): under a temporary name first, which is compared and renamed.
    fileprivate func copyFile(_ path: ItemPath, to target: ItemPath, overwrite: Bool) throws {
        let temporary = TemporaryName.make(beside: target)
        let copy = try server.path(of: temporary)
        do {
            let from = try command("SITE CPFR", try server.path(of: path))
            guard from.isIntermediate else { throw try explained(.refusal(from), reading: path) }
            let to = try command("SITE CPTO", copy)
            if to.isRefusal { throw try explained(.refusal(to), writing: target) }
            try requireBinary()
            let size = try command("SIZE", try server.path(of: path))
            if size.isSuccess, let bytes = Int64(size.lastText) { try requireSize(bytes, of: copy) }
            try settle(temporary, at: target, overwrite: overwrite)
        } catch {
            if isUsable { _ = try? command("DELE", copy) }
            throw error
        }
    }
}
