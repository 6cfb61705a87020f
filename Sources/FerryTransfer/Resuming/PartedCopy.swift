import FerryCore
import Foundation
import NIOCore
import Synchronization

/// Copies one large file in parts, several at the same time, and goes on with what an earlier try or run has left.
///
/// Each part is read as a range of the source and written to its place at the target. What the target has is asked of the
/// target; where that knows no more than where the last byte is, the journal knows which parts were written. Pieces whose
/// checksum was noted are compared with what the target has, if it can tell.
///
/// No checksum of the whole is worked out on the way, since the parts don't come in order: where the target tells one, it
/// is compared with the source's own, or with that of a source on this machine, which is read once more for it unless the
/// target has compared the file.
struct PartedCopy: Sendable {
    /// A file of the target that is under way.
    private struct Session {
        var write: PartialWrite
        var held: RangeSet<Int64>
        var isInOrder: Bool
        /// The entry that pieces are noted with.
        var entry: Int64?
    }

    /// The eTag and date that came with a part, if they are not the listed ones.
    private struct Version: Hashable {
        let eTag: String?
        let date: Date?

        init(_ facts: FileContentFacts) {
            eTag = facts.eTag.map(SourceIdentity.opaque)
            date = facts.modifiedDate
        }
    }

    /// The first version that came with a part, if it is not the listed one.
    private final class OtherVersion: Sendable {
        private let version = Mutex<Version?>(nil)

        var value: Version? { version.withLock { $0 } }

        /// Takes the first.
        ///
        /// - Returns: That one.
        func settle(_ new: Version) -> Version {
            version.withLock { version in
                version = version ?? new
                return version ?? new
            }
        }
    }

    let copier: FileCopier
    let storage: any FileProviderPartialWriting
    /// The same, if files come straight to it from the source.
    let direct: (any FileProviderDirectPartCopying)?
    /// The file at the source, as it is now.
    let item: FileObject
    let identity: SourceIdentity
    let place: ItemPath
    let options: WriteOptions
    /// The eTag and date that the source's contents have in place of the listed ones.
    private let otherVersion = OtherVersion()

    private var journal: JobJournal? { copier.journal }

    /// Copies it.
    ///
    /// - Throws: Why it can't be done: `CocoaError.featureUnsupported` if the target takes no parts; ``SourceChangedError``,
    ///   ``DamagedCopyError``. What was written stays if there is a journal and another run can go on with it.
    func run() async throws {
        var losses = 0
        while true {
            let session: Session
            if let earlier = try await resumed() { session = earlier } else { session = try await begun() }
            do {
                try await fill(session)
                try await requireUnchanged()
                let written = try await finish(session.write)
                if let entry = session.entry { journal?.forget(entry) }
                return try await verify(written)
            } catch let error as PartialWriteLostError {
                if let entry = session.entry { journal?.forget(entry) }
                losses += 1
                guard losses < 3 else { throw error.underlying ?? CocoaError.file(.fileWriteUnknown, path: place) }
                copier.bytes?.restart()
            } catch {
                // A full disk stays full as long as the part is there.
                let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
                let isUseless = session.entry == nil || journal?.works != true || meansElse(error) || isFull
                if isUseless { await discard(session) }
                throw error
            }
        }
    }

    private func finish(_ write: PartialWrite) async throws -> FileObject? {
        guard let direct else { return try await storage.finishPartialWrite(write, options: options) }
        return try await direct.finishPartialWrite(
            write,
            like: item.path,
            of: copier.source.storage,
            options: options
        )
    }

    // MARK: Beginning

    private func begun() async throws -> Session {
        let noted = Mutex<(entry: Int64?, write: PartialWrite)?>(nil)
        do {
            let write = try await storage.beginPartialWrite(
                path: place,
                length: identity.size,
                options: options
            ) { write in
                let isFresh = item.isFresh || !identity.isProof ? true : nil
                let isInOrder = lanes(limits: write.limits) == 1
                let copy = PartialCopy(source: identity, write: write, isInOrder: isInOrder, isFresh: isFresh)
                let entry = await journal?.begin(copy, at: place)
                noted.withLock { $0 = (entry, write) }
            }
            let isInOrder = lanes(limits: write.limits) == 1
            return Session(write: write, held: RangeSet(), isInOrder: isInOrder, entry: noted.withLock { $0?.entry })
        } catch {
            if let (entry, write) = noted.withLock({ $0 }) {
                if error is URLError {
                    // It may have been begun all the same, and only the answer was lost.
                    await discard(Session(write: write, held: RangeSet(), isInOrder: true, entry: entry))
                } else if let entry {
                    journal?.forget(entry)
                }
            }
            throw error
        }
    }

    /// Returns what an earlier try or run has left; `nil` if there is nothing of use, and then nothing is left.
    private func resumed() async throws -> Session? {
        guard let journal, let entry = await journal.entry(at: place) else { return nil }
        let copy = entry.copy
        let isExpired = copy.write.expires.map { $0 <= Date() } ?? false
        if copy.source == identity, copy.isFresh != true, copy.write.path == place,
            copy.write.length == identity.size, !isExpired,
            let pieces = try await trusted(entry),
            case let held = RangeSet(pieces.map(\.range)), try await isLikeSource(copy.write, held)
        {
            var kept = copy
            // A gap in the middle is not written after all the rest.
            if held.ranges.count > 1 || held.ranges.first?.lowerBound != 0 { kept.isInOrder = false }
            if pieces != entry.pieces || kept != copy { journal.keep(pieces, of: entry.id, kept) }
            copier.bytes?.skip(held.total)
            return Session(write: copy.write, held: held, isInOrder: kept.isInOrder, entry: entry.id)
        }
        try await storage.discardPartialWrite(copy.write)
        journal.forget(entry.id)
        return nil
    }

    /// Bytes that are compared before a file goes on.
    private static let seamLength: Int64 = 64 << 10

    /// Returns whether what the target has last is what the source has there, as far as the target can tell: that it
    /// has so many bytes doesn't say which.
    private func isLikeSource(_ write: PartialWrite, _ held: RangeSet<Int64>) async throws -> Bool {
        guard let last = held.ranges.last else { return true }
        let seam = max(last.lowerBound, last.upperBound - Self.seamLength)..<last.upperBound
        do {
            guard let other = try await storage.checksum(of: write, in: seam) else { return true }
            let sum = PartChecksum()
            let stream = try await copier.source.storage.contentStream(path: item.path, range: .bytes(seam))
            for try await chunk in stream { sum.update(chunk) }
            return sum.finish() == other
        } catch is PartialWriteLostError {
            return false
        }
    }

    /// Returns what can be relied on; `nil` if the target knows nothing of it any more.
    private func trusted(_ entry: JobJournal.Entry) async throws -> [WrittenPiece]? {
        do {
            return try await found(of: entry)
        } catch is PartialWriteLostError {
            return nil
        }
    }

    private func found(of entry: JobJournal.Entry) async throws -> [WrittenPiece]? {
        let told = RangeSet(try await storage.writtenRanges(of: entry.copy.write))
        let hasSums = entry.pieces.contains { $0.sum != nil }
        let tellsAll = !entry.copy.write.limits.tellsSizeOnly || entry.copy.isInOrder && !hasSums
        // Of what was only begun nothing is known: neither whether the target takes parts, nor that it was begun at all.
        if told.isEmpty { return nil }
        if tellsAll { return told.ranges.map { WrittenPiece(range: $0, sum: nil) } }
        var pieces: [WrittenPiece] = []
        for piece in entry.pieces where told.contains(piece.range) {
            if let sum = piece.sum,
                let other = try await storage.checksum(of: entry.copy.write, in: piece.range), other != sum
            {
                continue
            }
            pieces.append(piece)
        }
        return pieces.isEmpty ? nil : pieces
    }

    /// Returns whether something else is at the source or the target now, so that what was written is of no use.
    private func meansElse(_ error: any Error) -> Bool {
        error is SourceChangedError || error is PreconditionFailedError
            || (error as? CocoaError)?.code == .fileWriteFileExists
    }

    private func discard(_ session: Session) async {
        await uncancelled { [storage] in
            // The reason to give up is told already; what could not be removed stays in the journal.
            do {
                try await storage.discardPartialWrite(session.write)
                if let entry = session.entry { journal?.forget(entry) }
            } catch {
                return
            }
        }
    }

    // MARK: The parts

    private func lanes(limits: PartialWriteLimits) -> Int {
        // One after the other the system copies as fast as it can, and how far it has come shows to the byte.
        if direct != nil { return 1 }
        return max(1, min(limits.parallelism, copier.options.partsAtOnce))
    }

    /// Bytes of a part: not so many parts that requests count, and not so large that one takes long.
    private func partSize(_ limits: PartialWriteLimits) -> Int64 {
        if let size = limits.partSize { return size }
        // Where nobody can tell what a target has of a part that broke off, all of it is sent again: so it is not large.
        let isAllOrNothing = limits.tellsSizeOnly && copier.target.isAway
        let most: Int64 = isAllOrNothing || direct != nil ? 8 << 20 : 32 << 20
        // Whole blocks of 4 MiB, which services that hash files by such blocks need not hash twice.
        let blocks = min(max(identity.size / 32, 8 << 20), most) / (4 << 20) * (4 << 20)
        let wanted = copier.options.partSize ?? blocks
        return max(wanted / limits.alignment, 1) * limits.alignment
    }

    private func fill(_ session: Session) async throws {
        let limits = session.write.limits
        let queue = PartQueue(
            length: identity.size,
            held: session.held,
            partSize: partSize(limits),
            isGrid: limits.partSize != nil,
            alignment: limits.alignment
        )
        let sum = session.entry == nil || direct != nil ? nil : try await storage.checksum(of: session.write, in: 0..<0)
        let hashes = sum != nil
        let lanes = session.isInOrder ? 1 : lanes(limits: limits)
        try await withThrowingTaskGroup { group in
            for _ in 0..<lanes {
                group.addTask {
                    while let part = queue.next() { try await send(part, session, hashes: hashes) }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a part, again from where it broke off.
    private func send(_ part: Range<Int64>, _ session: Session, hashes: Bool) async throws {
        let limits = session.write.limits
        var start = part.lowerBound
        var trial = RetryState.Trial()
        var damages = 0
        while start < part.upperBound {
            let notes = PieceNotes(start..<part.upperBound, hashes: hashes) { piece in
                if let entry = session.entry { journal?.note(piece, of: entry) }
            }
            do {
                try await sendOnce(start..<part.upperBound, session, notes)
                return notes.finish()
            } catch {
                notes.finish()
                var next = start
                if limits.partSize == nil {
                    next = max(start, (start + notes.written) / limits.alignment * limits.alignment)
                }
                copier.bytes?.skip(next - start - notes.passed)
                if next > start { trial = RetryState.Trial() }
                start = next
                if let damage = error as? DamagedPartError {
                    damages += 1
                    guard damages < 3 else { throw DamagedCopyError(path: damage.path).told }
                    continue
                }
                guard let again = try await copier.retryState.next(after: trial, error) else { throw error }
                trial = again
            }
        }
    }

    private func sendOnce(_ range: Range<Int64>, _ session: Session, _ notes: PieceNotes) async throws {
        if let direct { return try await copyPart(range, session, notes, direct) }
        let stream = try await copier.source.storage.contentStream(path: item.path, range: .bytes(range))
        guard try await isOurs(stream.facts) else { throw SourceChangedError(path: item.path) }
        let chunks = stream.map { [copier] chunk in
            try await copier.control?.pass()
            try await copier.pacing?.pass(chunk.readableBytes)
            copier.bytes?.add(Int64(chunk.readableBytes))
            notes.pass(chunk)
            return chunk
        }
        try await storage.writePart(
            of: session.write,
            offset: range.lowerBound,
            contents: chunks,
            length: Int64(range.count)
        ) { notes.wrote($0) }
    }

    /// Returns whether a part belongs to the version that is copied.
    ///
    /// Some servers give another eTag with a content than they list, as those that compress it on its way, or a more exact
    /// date, as FTP servers do that list minutes: then all parts must have the same, and the listed one must have stayed.
    private func isOurs(_ facts: FileContentFacts) async throws -> Bool {
        let precision = copier.source.storage.capabilities.datePrecision ?? .zero
        // Where listings leave out seconds, only the parts' own dates tell whether all are of one version.
        if precision <= .seconds(1), identity.agrees(with: facts) { return true }
        guard identity.mayBeListed(for: facts, precision: precision) else { return false }
        let version = Version(facts)
        if let known = otherVersion.value { return known == version }
        guard SourceIdentity(try await copier.source.storage.attributesOfItem(path: item.path)) == identity else {
            return false
        }
        return otherVersion.settle(version) == version
    }

    private func copyPart(
        _ range: Range<Int64>,
        _ session: Session,
        _ notes: PieceNotes,
        _ direct: any FileProviderDirectPartCopying
    ) async throws {
        try await copier.control?.pass()
        let original = try await direct.copyPart(
            of: session.write,
            from: item.path,
            of: copier.source.storage,
            range: range
        )
        guard SourceIdentity(original) == identity else { throw SourceChangedError(path: item.path) }
        copier.bytes?.add(Int64(range.count))
        notes.wrote(Int64(range.count))
    }

    // MARK: Verifying

    private func requireUnchanged() async throws {
        let now = try await copier.retryState.retrying {
            try await copier.source.storage.attributesOfItem(path: item.path)
        }
        guard SourceIdentity(now) == identity else { throw SourceChangedError(path: item.path) }
    }

    private func verify(_ written: FileObject?) async throws {
        guard let written else {
            try await copier.verify(nil, of: item, at: place, length: identity.size, [:], options.condition)
            return
        }
        var sums = item.extras[.checksums] ?? [:]
        let told = Set((written.extras[.checksums] ?? [:]).keys)
        if written.extras[.isVerified] != true, !told.isEmpty, told.isDisjoint(with: sums.keys), !copier.source.isAway {
            let running = RunningChecksums(told)
            for try await chunk in try await copier.source.storage.contentStream(path: item.path) {
                await running.update(chunk)
            }
            sums = await running.finish()
        }
        try await copier.verify(written, of: item, at: place, length: identity.size, sums, options.condition)
    }
}
