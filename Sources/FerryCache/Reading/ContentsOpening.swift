import FerryCore
import Foundation

/// How a file is opened for reading through the cache.
struct ContentsOpening: Sendable {
    let engine: CacheEngine
    let base: any FileProviderReadWriteProgressive
    let path: ItemPath
    let range: ByteRange
    let plan: ReadingPlan
    let progress: Progress?

    /// Opens it.
    ///
    /// - Returns: The bytes.
    /// - Throws: The storage's error; `URLError.resourceUnavailable`.
    func open() async throws -> FileContentStream {
        guard !plan.passesBy else {
            return try await base.contentStream(path: path, range: range, reporting: progress)
        }
        if plan.removesFirst { await removeKept() }
        if plan.use != .never {
            // A caller that doesn't ask the storage doesn't wait for it either.
            if plan.use != .only { await engine.readAhead?.wait(for: path, range) }
            if let stream = try await openKept() { return stream }
            if plan.removesAfter { await removeKept() }
        }
        return try await openLive()
    }

    // MARK: Kept contents

    /// Forgets what is kept of the file's contents.
    func removeKept() async {
        await engine.account.remove(path, below: false, kinds: [.contents])
    }

    private func openKept() async throws -> FileContentStream? {
        let kept = await engine.account.contents(path)
        guard let kept, let length = kept.length else {
            if plan.use == .only { throw URLError.notCached(path) }
            return nil
        }
        engine.spellings?.note(path)
        let wanted = range.resolved(size: length)
        if plan.use == .only || plan.use == .unasked {
            guard kept.ranges.covers(wanted) else {
                if plan.use == .only { throw URLError.notCached(path) }
                return nil
            }
            return stream(kept, wanted, length: length, contentType: nil)
        }
        // The answer with the first missing bytes tells the version too.
        if let gap = kept.ranges.gaps(in: wanted).first, gap.lowerBound == wanted.lowerBound {
            guard gap != wanted, let live = try await self.gap(gap, of: kept.version) else { return nil }
            engine.readAhead?.didRead(wanted, of: self, version: kept.version, length: length)
            return stream(kept, wanted, length: length, contentType: live.contents.facts.contentType, live: live)
        }
        if engine.trustsETags, let eTag = kept.version.eTag,
            let conditional = base as? any FileProviderConditionalReading
        {
            return try await openChanged(kept, unless: eTag, by: conditional, wanted, length: length)
        }
        if engine.validatesByOpening {
            return try await compared(try await live(range), to: kept, wanted, length: length)
        }
        let item = try await withCancellation(by: progress) { [engine, path, plan] in
            try await engine.attributesFromStorage(of: path, keeps: plan.keeps)
        }
        // Of a link, these are not the attributes of what is read.
        guard item.isRegularFile, !item.isFresh, kept.version.isSame(as: engine.version(item)) else { return nil }
        await engine.account.revalidated(.contents, path)
        engine.readAhead?.didRead(wanted, of: self, version: kept.version, length: length)
        return stream(kept, wanted, length: length, contentType: item.contentType)
    }

    /// Asks for the contents, unless they have the version that is kept.
    private func openChanged(
        _ kept: KeptContents,
        unless eTag: String,
        by conditional: any FileProviderConditionalReading,
        _ wanted: Range<Int64>,
        length: Int64
    ) async throws -> FileContentStream {
        let key = RequestKey(kind: .contents, path: path, variant: "\(range) unless \(eTag)", keeps: plan.keeps)
        let changed = try await withCancellation(by: progress) { [self] in
            try await engine.coalescer.answer(key) { mark -> LiveContents? in
                let stream = try await asking {
                    try await conditional.contentStream(path: path, range: range, unless: eTag, reporting: nil)
                }
                guard let stream else { return nil }
                return await contents(stream, asked: mark)
            }
        }
        if let changed { return try await compared(changed, to: kept, wanted, length: length) }
        await engine.account.revalidated(.contents, path)
        engine.readAhead?.didRead(wanted, of: self, version: kept.version, length: length)
        return stream(kept, wanted, length: length, contentType: nil)
    }

    /// Returns what the storage sends; left unread if it begins with the version that is kept.
    private func compared(
        _ contents: LiveContents,
        to kept: KeptContents,
        _ wanted: Range<Int64>,
        length: Int64
    ) async throws -> FileContentStream {
        let facts = contents.facts
        guard facts.size == length, facts.range == nil || facts.range == wanted,
            kept.version.isSame(as: engine.version(facts)), engine.isProof(facts)
        else {
            // Kept bytes of the new version stay; those of the old one go, whoever keeps nothing.
            if plan.removesAfter, !plan.keeps { await removeKept() }
            return try await stream(of: contents)
        }
        // Nobody else may be reading it: then the connection is closed.
        if let reader = contents.join() { contents.leave(reader) }
        await engine.account.revalidated(.contents, path)
        return stream(kept, wanted, length: length, contentType: facts.contentType)
    }

    private func stream(
        _ kept: KeptContents,
        _ wanted: Range<Int64>,
        length: Int64,
        contentType: String?,
        live: (contents: LiveContents, reader: Int)? = nil
    ) -> FileContentStream {
        let facts = FileContentFacts(
            size: length,
            range: wanted,
            eTag: kept.version.eTag,
            modifiedDate: kept.version.modified.map { Date(timeIntervalSinceReferenceDate: $0) },
            contentType: contentType ?? ContentType.ofFile(named: path.lastName)
        )
        let chunks = CachedChunks(
            self,
            version: kept.version,
            range: wanted,
            kept: kept,
            live: live,
            removesAtEnd: plan.removesAfter
        )
        return stream(chunks, facts)
    }

    private func stream(_ chunks: CachedChunks, _ facts: FileContentFacts) -> FileContentStream {
        progress?.announceTransfer(of: Int64(facts.range?.count ?? 0))
        return FileContentStream(facts: facts) { try await chunks.next() }
    }

    /// Returns what is kept by now of the version that is read.
    func keptNow(of version: CacheVersion) async -> KeptContents? {
        guard let kept = await engine.account.contents(path), kept.version.isSame(as: version) else { return nil }
        return kept
    }

    // MARK: Contents from the storage

    private func openLive() async throws -> FileContentStream {
        try await stream(of: try await live(range))
    }

    private func stream(of contents: LiveContents) async throws -> FileContentStream {
        let version = engine.version(contents.facts)
        // Contents that nobody can tell from others are for one reader only; others ask for themselves.
        guard let reader = contents.join() else {
            return try await base.contentStream(path: path, range: range, reporting: progress)
        }
        let wanted = contents.facts.range
        if let wanted, let length = contents.facts.size {
            engine.readAhead?.didRead(wanted, of: self, version: version, length: length)
        }
        let chunks = CachedChunks(self, version: version, range: wanted, kept: nil, live: (contents, reader))
        return stream(chunks, contents.facts)
    }

    /// Returns what is missing of a version that was begun.
    ///
    /// - Parameters:
    ///   - gap: Which bytes.
    ///   - version: Of which version.
    /// - Returns: The bytes as they come.
    /// - Throws: The storage's error; ``PreconditionFailedError`` if it has not the version that is kept, which is
    ///   forgotten then: what can't be completed must not be begun again.
    func rest(
        _ gap: Range<Int64>,
        of version: CacheVersion
    ) async throws -> (contents: LiveContents, reader: Int) {
        if let live = try await self.gap(gap, of: version) { return live }
        await uncancelled { [self] in await removeKept() }
        throw PreconditionFailedError(path: path)
    }

    /// A part of a version.
    ///
    /// - Parameters:
    ///   - gap: Which bytes.
    ///   - version: Of which version.
    /// - Returns: The bytes as they come; `nil` if the storage has another version.
    /// - Throws: The storage's error.
    func gap(
        _ gap: Range<Int64>,
        of version: CacheVersion
    ) async throws -> (contents: LiveContents, reader: Int)? {
        let contents = try await live(.bytes(gap))
        guard contents.facts.range == gap, version.isSame(as: engine.version(contents.facts)),
            engine.isProof(contents.facts)
        else { return nil }
        if let reader = contents.join() { return (contents, reader) }
        // Its first bytes have gone by: once more, alone.
        let own = try await open(.bytes(gap), asked: await engine.account.mark())
        guard own.facts.range == gap, version.isSame(as: engine.version(own.facts)), let reader = own.join() else {
            return nil
        }
        return (own, reader)
    }

    /// Opens a part, together with all who open the same at the same time.
    private func live(_ range: ByteRange) async throws -> LiveContents {
        let key = RequestKey(kind: .contents, path: path, variant: "\(range)", keeps: plan.keeps)
        return try await withCancellation(by: progress) { [self] in
            try await engine.coalescer.answer(key) { mark in try await open(range, asked: mark) }
        }
    }

    private func open(_ range: ByteRange, asked mark: CacheMark) async throws -> LiveContents {
        let stream = try await asking { try await base.contentStream(path: path, range: range, reporting: nil) }
        return await contents(stream, asked: mark)
    }

    /// Puts a question to the storage; what it says is missing isn't kept any longer.
    private func asking<Answer: Sendable>(_ question: () async throws -> Answer) async throws -> Answer {
        do {
            return try await question()
        } catch {
            await engine.forget(path, after: error)
            throw error
        }
    }

    /// Returns what the storage sends, for all who ask for it; kept if it may be.
    private func contents(_ stream: FileContentStream, asked mark: CacheMark) async -> LiveContents {
        let version = engine.version(stream.facts)
        let isProof = engine.isProof(stream.facts)
        let start = stream.facts.range?.lowerBound ?? 0
        var keeper: ContentsKeeper?
        if plan.keeps, isProof, let range = stream.facts.range, let length = stream.facts.size {
            engine.spellings?.note(path)
            keeper = ContentsKeeper(
                engine.account,
                path,
                version: version,
                length: length,
                coming: Int64(range.count),
                from: start,
                asked: mark
            )
        }
        // The version that is read now is newer than the kept one: nobody is shown that one after this one.
        if keeper == nil { await engine.account.dropContents(path, otherThan: version) }
        let sharing = LiveContents.Sharing(isProof: isProof, length: stream.facts.range?.count)
        return LiveContents(stream, start: start, keeper: keeper, sharing: sharing)
    }
}
