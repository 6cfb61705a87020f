import Crypto
import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Does what one action says.
struct FileCopier: Sendable {
    let source: TransferPlace
    let target: TransferPlace
    let options: TransferOptions

    /// Counts bytes as they pass.
    var count: @Sendable (Int64) -> Void

    /// Whether both sides are one storage.
    let isOneStorage: Bool

    init(
        from source: TransferPlace,
        to target: TransferPlace,
        options: TransferOptions,
        count: @escaping @Sendable (Int64) -> Void
    ) {
        self.source = source
        self.target = target
        self.options = options
        self.count = count
        isOneStorage = source.isOnStorage(of: target)
    }

    /// Does it.
    ///
    /// - Parameter action: Anything but a refusal.
    /// - Returns: What was lost of the item.
    /// - Throws: Why it can't be done.
    func perform(_ action: TransferAction) async throws -> Set<TransferReport.Loss> {
        switch action.kind {
        case .skip: return []
        case .makeFolder:
            try await makeFolder(target.path(action.path))
            return []
        case .rename:
            guard let from = action.from else { return [] }
            try await target.storage.moveItem(path: target.path(from), to: target.path(action.path))
            return []
        case .remove:
            try await remove(action)
            return []
        case .add, .update:
            if action.kind == .update { try await keepBackup(of: action) }
            return try await copy(action)
        // Neither copies anything: `ActionPerformer` does them.
        case .setDates, .removeSource: return []
        case .refuse: throw TransferRefusal.error(action, in: target)
        }
    }

    /// Makes a folder; that it is there already is as good.
    func makeFolder(_ path: ItemPath) async throws {
        if path.isRoot { return }
        do {
            try await target.storage.create(folder: path.lastName, at: path.parent)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            guard try await target.storage.attributesOfItem(path: path).isDirectory else { throw error }
        }
    }

    // MARK: What would be lost

    private func remove(_ action: TransferAction) async throws {
        guard let backup = options.backupFolder else {
            return try await target.storage.removeItem(path: target.path(action.path))
        }
        try await setAside(action.path, in: backup)
    }

    /// Sets aside what will be overwritten; a copy, so that something is there at every moment.
    private func keepBackup(of action: TransferAction) async throws {
        guard let backup = options.backupFolder, action.target != nil else { return }
        let place = backup.appending(path: action.path)
        try await makeFolders(place.parent)
        try await target.storage.copyItem(path: target.path(action.path), to: place, overwrite: true)
    }

    private func setAside(_ path: ItemPath, in backup: ItemPath) async throws {
        let place = backup.appending(path: path)
        try await makeFolders(place.parent)
        try await target.storage.moveItem(path: target.path(path), to: place, overwrite: true)
    }

    private func makeFolders(_ path: ItemPath) async throws {
        if path.isRoot { return }
        try await target.storage.create(folder: path.lastName, at: path.parent, creatingParents: true)
    }

    // MARK: Copying

    private func copy(_ action: TransferAction) async throws -> Set<TransferReport.Loss> {
        guard let item = action.source else { return [] }
        if item.isSymbolicLink { return try await copyLink(item, action) }
        let place = target.path(action.path)
        // A file that takes a link's place must not be written through the link.
        if action.target?.isSymbolicLink == true { try await target.storage.removeItem(path: place) }
        if isOneStorage, target.storage.capabilities.copiesOnServer || target.storage.baseURL?.isFileURL == true {
            try await target.storage.copyItem(path: item.path, to: place, overwrite: action.kind == .update)
            count(item.size ?? 0)
        } else {
            try await stream(item, to: place, action)
        }
        return losses(of: item)
    }

    private func copyLink(_ item: FileObject, _ action: TransferAction) async throws -> Set<TransferReport.Loss> {
        guard let links = target.storage as? any FileProviderSymbolicLink else { return [.links] }
        let text: String
        if let known = item.extras[.linkDestination] {
            text = known
        } else if let readable = source.storage as? any FileProviderSymbolicLink {
            text = try await readable.destination(ofSymbolicLink: item.path)
        } else {
            return [.links]
        }
        let place = target.path(action.path)
        if action.kind == .update { try await target.storage.removeItem(path: place) }
        try await links.create(symbolicLink: place, withDestination: text)
        return []
    }

    private func stream(_ item: FileObject, to place: ItemPath, _ action: TransferAction) async throws {
        let content = try await source.storage.contentStream(path: item.path)
        // The listing may be old: what is read now is what counts.
        let length = content.facts.size ?? item.size
        let date = content.facts.modifiedDate ?? item.modifiedDate
        let sums = RunningChecksums(target.storage.capabilities.checksumKinds)
        let counted = content.map { [count] chunk in
            count(Int64(chunk.readableBytes))
            sums.update(chunk)
            return chunk
        }
        let conditional = target.storage.capabilities.writesConditionally
        let options = WriteOptions(
            overwrite: action.kind == .update,
            // Somebody may have changed it since it was listed: that is not lost.
            ifMatch: action.kind == .update && conditional ? action.target?.eTag : nil,
            modifiedDate: date,
            contentType: item.contentType
        )
        let written = try await target.storage.writeStream(
            path: place,
            contents: counted,
            length: length,
            options: options,
            reporting: nil
        )
        try await verify(written, at: place, length: length, sums)
    }

    /// Compares what the target has with what was sent; a bad copy is removed.
    private func verify(_ written: FileObject?, at place: ItemPath, length: Int64?, _ sums: RunningChecksums)
        async throws
    {
        guard let written else { return }
        let told = written.extras[.checksums] ?? [:]
        let isDamaged =
            sums.finish().contains { kind, sum in told[kind].map { $0.lowercased() != sum } ?? false }
            || (length.flatMap { length in written.size.map { $0 != length } } ?? false)
        guard isDamaged else { return }
        try await target.storage.removeItem(path: place)
        throw CocoaError.file(
            .fileWriteUnknown,
            path: place,
            description: "what has arrived is not what was sent",
            suggestion: "try again"
        )
    }

    private func losses(of item: FileObject) -> Set<TransferReport.Loss> {
        var losses: Set<TransferReport.Loss> = []
        if isOneStorage { return losses }
        if item.modifiedDate != nil, !target.storage.capabilities.setsModifiedDate { losses.insert(.dates) }
        if let permissions = item.permissions, permissions & 0o111 != 0 { losses.insert(.permissions) }
        return losses
    }
}

/// Checksums of what passes, of the kinds that we can compute.
final class RunningChecksums: Sendable {
    private struct State {
        var md5: Insecure.MD5?
        var sha1: Insecure.SHA1?
        var sha256: SHA256?
    }

    private let state: Mutex<State>

    /// Begins.
    ///
    /// - Parameter kinds: What is of use; others than MD5, SHA-1 and SHA-256 are passed over.
    init(_ kinds: Set<ChecksumKind>) {
        // One is proof enough.
        let state =
            kinds.contains(.sha256)
            ? State(sha256: SHA256())
            : kinds.contains(.sha1)
                ? State(sha1: Insecure.SHA1())
                : kinds.contains(.md5) ? State(md5: Insecure.MD5()) : State()
        self.state = Mutex(state)
    }

    /// Something passes.
    func update(_ chunk: ByteBuffer) {
        state.withLock { state in
            chunk.withUnsafeReadableBytes { bytes in
                state.md5?.update(bufferPointer: bytes)
                state.sha1?.update(bufferPointer: bytes)
                state.sha256?.update(bufferPointer: bytes)
            }
        }
    }

    /// The checksums of all that has passed, in lower-case hexadecimal.
    func finish() -> [ChecksumKind: String] {
        state.withLock { state in
            var sums: [ChecksumKind: String] = [:]
            if let md5 = state.md5 { sums[.md5] = Self.text(md5.finalize()) }
            if let sha1 = state.sha1 { sums[.sha1] = Self.text(sha1.finalize()) }
            if let sha256 = state.sha256 { sums[.sha256] = Self.text(sha256.finalize()) }
            return sums
        }
    }

    private static func text(_ digest: some Sequence<UInt8>) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
