package import FerryCore
package import Foundation

/// Uploads a file in pieces, and goes on where it was after a cut, or in a later process.
///
/// Nothing appears under the file's name before the storage has everything and is asked to finish. A piece that fails is
/// repeated by itself. When the source is no longer what it was, all begins anew.
package struct UploadSession<Driver: UploadSessionDriver>: Sendable {
    /// The driver that sends pieces to the storage.
    package let driver: Driver

    /// The file, for errors.
    package let path: ItemPath

    /// The key that the upload is remembered by: account and target.
    package let key: String

    /// The store that remembers the upload; `nil` if it shall not outlive a failure.
    package let store: (any UploadSessionStore)?

    let policy: RetryPolicy
    let clock: any Clock<Duration>
    let now: @Sendable () -> Date

    /// Prepares an upload; nothing is sent.
    ///
    /// - Parameters:
    ///   - driver: How the storage takes pieces.
    ///   - path: The file, for errors.
    ///   - key: The key that the upload is remembered by; it holds no secret.
    ///   - store: Where the upload is remembered.
    ///   - policy: How often and when a piece is repeated.
    ///   - clock: The clock to wait on.
    ///   - now: A closure that returns the time.
    package init(
        _ driver: Driver,
        path: ItemPath,
        key: String = "",
        store: (any UploadSessionStore)? = nil,
        policy: RetryPolicy = RetryPolicy(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.driver = driver
        self.path = path
        self.key = key
        self.store = store
        self.policy = policy
        self.clock = clock
        self.now = now
    }

    /// Uploads a source that can be read again, or the rest of it.
    ///
    /// - Parameters:
    ///   - source: The content.
    ///   - progress: Counts the bytes that the storage has, from earlier processes too; cancelling it ends the upload,
    ///     which can go on later if there is a store.
    /// - Returns: The new file as the storage reports it, or `nil`.
    /// - Throws: The storage's error; `CocoaError.fileReadUnknown` if the source changes while it is read.
    package func upload(_ source: some UploadSource, reporting progress: Progress?) async throws -> FileObject? {
        let before = progress?.completedUnitCount ?? 0
        return try await withCancellation(by: progress) {
            var losses = 0
            while true {
                do {
                    return try await uploadOnce(source, reporting: progress)
                } catch let error as UploadSessionLostError {
                    try await store?.save(nil, for: key)
                    progress?.completedUnitCount = before
                    losses += 1
                    guard losses < policy.maximumAttempts else { throw lost(error) }
                }
            }
        }
    }

    private func uploadOnce(_ source: some UploadSource, reporting progress: Progress?) async throws -> FileObject? {
        let identity = try await source.identity()
        let record = try await open(identity)
        progress?.announceTransfer(of: identity.size)
        progress?.completedUnitCount += record.uploadedBytes
        let ledger = UploadLedger(record, limits: driver.limits) { [store, key] in try await store?.save($0, for: key) }
        do {
            try await sendAll(of: source, ledger: ledger, to: record.session, reporting: progress)
            guard try await source.identity() == identity else { throw changed }
            guard let pieces = await ledger.complete() else {
                throw URLError.answer(.cannotParseResponse, description: "the storage has other pieces than were sent")
            }
            let file = try await driver.finish(record.session, pieces: pieces, size: identity.size)
            try await store?.save(nil, for: key)
            return file
        } catch {
            if store == nil || !isWorthKeeping(after: error) { await forget(record.session) }
            throw error
        }
    }

    /// A session that goes on, or a new one.
    private func open(_ identity: UploadSourceIdentity) async throws -> UploadSessionRecord {
        try await store?.removeExpired(at: now())
        if var record = try await store?.record(for: key) {
            if record.isUsable(for: identity, now: now()),
                let acknowledgement = try await repeating({ try await driver.acknowledged(in: record.session) })
            {
                record.keep(acknowledgement)
                return record
            }
            await driver.abort(record.session)
        }
        let session = try await driver.begin(size: identity.size)
        let record = UploadSessionRecord(source: identity, session: session)
        try await store?.save(record, for: key)
        return record
    }

    // MARK: Pieces

    private func sendAll(
        of source: some UploadSource,
        ledger: UploadLedger,
        to session: UploadSessionHandle,
        reporting progress: Progress?
    ) async throws {
        try await withThrowingTaskGroup { group in
            for _ in 0..<driver.limits.parallelism {
                group.addTask {
                    while let piece = try await ledger.next() {
                        let (receipt, duration) = try await send(piece, of: source, to: session)
                        try await ledger.note(piece, receipt: receipt, took: duration)
                        progress?.completedUnitCount += Int64(piece.range.count)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Sends a piece, and again what of it has not arrived.
    func send(
        _ piece: UploadPiece,
        of source: some UploadSource,
        to session: UploadSessionHandle
    ) async throws -> (receipt: String?, duration: Duration) {
        var rest = piece
        var hasFailed = false
        return try await repeating {
            if hasFailed, driver.limits.parallelism == 1 {
                guard let known = try await driver.acknowledged(in: session) else { throw UploadSessionLostError() }
                if case .bytes(let end) = known {
                    // The storage can't go back, and must not leave a gap.
                    guard end >= piece.range.lowerBound, end <= piece.range.upperBound else {
                        throw UploadSessionLostError()
                    }
                    if end == piece.range.upperBound, !piece.isLast { return (nil, .zero) }
                    rest.range = end..<piece.range.upperBound
                }
            }
            hasFailed = true
            var receipt: String?
            let duration = try await clock.measure {
                receipt = try await driver.send(rest, body: source.body(rest.range), to: session)
            }
            return (receipt, duration)
        }
    }

    /// Repeats what may pass by itself.
    private func repeating<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await policy.repeating(clock: clock, where: policy.isTransient, body)
    }

    // MARK: Endings

    /// Returns whether the session is of use to a later try: not when the source has changed or the storage refuses.
    private func isWorthKeeping(after error: any Error) -> Bool {
        error is CancellationError || error.isAnswerTimeOut || policy.isTransient(error)
            || (error as? URLError)?.code == .userAuthenticationRequired
    }

    /// Lets the storage forget what it has; also when this task is cancelled already.
    func forget(_ session: UploadSessionHandle) async {
        await uncancelled { [driver, store, key] in
            await driver.abort(session)
            // A record of a session that is gone does no harm: the storage will say so.
            try? await store?.save(nil, for: key)
        }
    }

    func lost(_ error: UploadSessionLostError) -> any Error {
        error.underlying
            ?? URLError.answer(
                .resourceUnavailable,
                description: "the storage forgets the upload while it is under way"
            )
    }

    private var changed: CocoaError {
        .file(
            .fileReadUnknown,
            path: path,
            description: "what is uploaded changed meanwhile",
            suggestion: "upload it again when nobody writes to it"
        )
    }
}
