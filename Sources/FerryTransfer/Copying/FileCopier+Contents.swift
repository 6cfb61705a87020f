import FerryCore
import Foundation
import NIOCore

extension FileCopier {
    /// How often a copy is made anew when what has arrived is not what was sent, or the source has changed meanwhile.
    private static let attempts = 3

    /// Copies a file: by the storage itself, in parts where it is large and that can be done, else in one stream.
    ///
    /// - Parameters:
    ///   - item: The file at the source, as it was listed.
    ///   - place: Where it goes.
    ///   - overwriting: The content that it may replace.
    /// - Returns: `nil` if the target has reported the file.
    /// - Throws: Why it can't be copied. Then the target's name shows what it did before, or nothing where all that
    ///   arrived was damaged.
    func copyFile(_ item: FileObject, to place: ItemPath, _ overwriting: Overwriting) async throws -> UnseenCopy? {
        if copiesThere(item) {
            try await target.storage.copyItem(path: item.path, to: place, overwrite: overwriting != .nothing)
            bytes?.add(item.size ?? 0)
            return target.isNear ? nil : UnseenCopy(length: item.size, isByServer: true)
        }
        var attempt = 1
        var overwriting = overwriting
        while true {
            do {
                // Damaged by that, it is sent as a whole.
                if attempt == 1, overwriting != .nothing, let update = try await blockUpdate(of: item, at: place),
                    try await update.run()
                {
                    return nil
                }
                if let parts = try await partedCopy(of: item, to: place, overwriting) {
                    do {
                        try await parts.run()
                        return nil
                    } catch let error as CocoaError where error.code == .featureUnsupported {
                        // It turned out that the target takes none.
                    }
                }
                // In one stream.
                let file = try await open(item)
                let written = try await target.storage.writeStream(
                    path: place,
                    contents: file.chunks,
                    length: file.length,
                    options: WriteOptions(overwriting, modifiedDate: file.date, contentType: item.contentType),
                    reporting: nil
                )
                let sums = await file.sums.finish()
                let isSeen = try await verify(written, of: item, at: place, length: file.length, sums, overwriting)
                return isSeen || !target.isAway || file.isCompared ? nil : UnseenCopy(length: file.length)
            } catch let error as DamagedCopyError {
                if attempt == Self.attempts || error.remains != nil { throw error.told }
                overwriting = error.again
            } catch let error as SourceChangedError {
                if attempt == Self.attempts { throw error.told }
            }
            attempt += 1
            bytes?.restart()
        }
    }

    private func blockUpdate(of item: FileObject, at place: ItemPath) async throws -> BlockUpdate? {
        guard options.updatesInPlace, item.size.map({ $0 >= BlockUpdate.leastSize }) ?? false,
            let storage = target.storage as? any FileProviderBlockUpdating & FileProviderChecksums,
            try await readsRanges(of: item)
        else { return nil }
        return BlockUpdate(copier: self, storage: storage, item: item, place: place)
    }

    private func partedCopy(
        of item: FileObject,
        to place: ItemPath,
        _ overwriting: Overwriting
    ) async throws -> PartedCopy? {
        guard let size = item.size, size >= max(1, options.partedSize),
            let storage = target.storage as? any FileProviderPartialWriting, try await readsRanges(of: item)
        else { return nil }
        // The listing may be old: what is there now is what is copied, and later runs compare with.
        let now = try await source.storage.attributesOfItem(path: item.path)
        let item = try await source.storage.withProvenVersion(now)
        guard let identity = SourceIdentity(item), identity.size > 0,
            try await storage.partialWriteLimits(length: identity.size) != nil
        else { return nil }
        return PartedCopy(
            copier: self,
            storage: storage,
            direct: directParts,
            item: item,
            identity: identity,
            place: place,
            options: WriteOptions(overwriting, modifiedDate: item.modifiedDate, contentType: item.contentType)
        )
    }

    /// Returns whether parts can be read by themselves; a storage that has not been asked for any may not know yet.
    private func readsRanges(of item: FileObject) async throws -> Bool {
        if source.storage.capabilities.readsRanges || !source.isAway { return source.storage.capabilities.readsRanges }
        for try await _ in try await source.storage.contentStream(path: item.path, range: .bytes(0..<1)) { break }
        return source.storage.capabilities.readsRanges
    }

    /// The content of a file on its way to the target.
    private struct OpenedFile {
        /// The chunks, counted as they pass, and held back where the transfer is paused or too quick.
        let chunks: AsyncThrowingMapSequence<FileContentStream, ByteBuffer>
        let length: Int64?
        let date: Date?
        /// The checksums of what has passed.
        let sums: RunningChecksums
        /// Indicates whether the target compares by itself what arrives, so that there are no sums.
        let isCompared: Bool
    }

    /// Opens a file at the source, unless its content was read ahead.
    private func open(_ item: FileObject) async throws -> OpenedFile {
        let ahead = readAhead?.take()
        let content = if let ahead { ahead } else { try await source.contentStream(of: item) }
        // A file that was read in one piece before needs no look.
        let steady = ahead == nil ? SteadySource(item.path, at: source, content.facts) : nil
        try await source.requireLength(content.facts.size, of: item)
        // Its capabilities may have been learned just now.
        let capabilities = target.storage.capabilities
        let sums = RunningChecksums(capabilities.comparesWrites ? [] : capabilities.checksumKinds)
        let chunks = content.map { [bytes, pacing, control] chunk in
            try await control?.pass()
            try await pacing?.pass(chunk.readableBytes)
            try await steady?.pass(chunk.readableBytes)
            bytes?.add(Int64(chunk.readableBytes))
            await sums.update(chunk)
            return chunk
        }
        // The listing may be old: what is read now is what counts.
        let (size, date) = (content.facts.size ?? item.size, content.facts.modifiedDate ?? item.modifiedDate)
        let isCompared = capabilities.comparesWrites
        return OpenedFile(chunks: chunks, length: size, date: date, sums: sums, isCompared: isCompared)
    }

    /// Files that are at least so long are looked at where a server has only said that it has them.
    ///
    /// It is one small question for much that was sent. So are all whose original is to go.
    private static let looksAt: Int64 = 1 << 20

    /// Returns what a storage at the other end of a line has of a file.
    private func looked(at place: ItemPath, length: Int64?) async throws -> FileObject? {
        guard target.isAway, let length, looksAtOnce || length >= Self.looksAt else { return nil }
        let found = try await retryState.retrying { try await target.storage.attributesIfExists(path: place) }
        guard let found else { throw DamagedCopyError(path: place) }
        return found
    }

    /// Compares what the target has with what was sent; a bad copy is removed.
    ///
    /// - Parameters:
    ///   - written: The file as the target reported it without being asked; `nil` if it didn't.
    ///   - item: The original.
    ///   - place: Where it is.
    ///   - length: Bytes that were sent.
    ///   - sums: Checksums of what was sent.
    ///   - overwriting: The content that it was to replace. A file that was only found there can still be that, or
    ///     somebody else's: so in the place of a new file what the original begins with is removed, in that of an old
    ///     one replaced once more, and nothing else.
    /// - Returns: `true` if anything was there to compare.
    /// - Throws: ``DamagedCopyError``; `CocoaError.fileWriteUnknown` for what may not be ours.
    @discardableResult
    func verify(
        _ written: FileObject?,
        of item: FileObject,
        at place: ItemPath,
        length: Int64?,
        _ sums: [ChecksumKind: String],
        _ overwriting: Overwriting
    ) async throws -> Bool {
        let isTold = written?.size != nil || written?.extras[.checksums]?.isEmpty == false
        let found = isTold ? written : try await looked(at: place, length: length)
        guard let written = found else { return false }
        // A content that its storage changes on purpose is as it should be.
        if written.extras[.isRewritten] == true {
            rewritten.note(item, at: place, storedAs: written)
            return true
        }
        let told = written.extras[.checksums] ?? [:]
        let isDamaged =
            sums.contains { kind, sum in told[kind].map { !kind.isSame($0, sum) } ?? false }
            || (length.flatMap { length in written.size.map { $0 != length } } ?? false)
        guard isDamaged else { return true }
        if isTold {
            try await target.removeDamaged(at: place, retryState)
        } else {
            guard try await target.isBeginning(written, of: item, at: source) else {
                throw CocoaError.otherCopy(place, sent: length, found: written)
            }
            if overwriting != .nothing { throw DamagedCopyError(path: place, again: self.overwriting(written)) }
            try await target.removeDamaged(at: place, ifStill: written, retryState)
        }
        throw DamagedCopyError(path: place)
    }
}
