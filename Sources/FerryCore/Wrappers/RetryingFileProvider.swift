public import Foundation
import Logging
import Synchronization

/// A provider that tries again what a bad line has broken.
///
/// Only what can be repeated is: calls that change nothing, and writes that may overwrite. Of a listing that breaks, the
/// rest is fetched by listing anew; a stream that breaks is opened again at the byte where it broke, if the content is
/// still the same.
public final class RetryingFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    /// The provider that is called.
    public let base: Base

    /// The rules by which calls are repeated.
    public let policy: RetryPolicy

    private let clock: any Clock<Duration>
    private let spent = Mutex(0)

    /// Wraps a provider.
    ///
    /// - Parameters:
    ///   - base: The provider to try.
    ///   - policy: How often and when.
    ///   - clock: The clock to wait on.
    public init(_ base: Base, policy: RetryPolicy = RetryPolicy(), clock: any Clock<Duration> = ContinuousClock()) {
        self.base = base
        self.policy = policy
        self.clock = clock
    }

    /// Repeats a call that can be repeated.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The call itself.
    /// - Returns: The value that the base returns at last.
    /// - Throws: The error of the last try.
    public func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch {
                guard call.isIdempotent else { throw error }
                try await waitToRetry(afterAttempt: attempt, error: error)
                attempt += 1
            }
        }
    }

    /// Waits, if another try makes sense; else throws the error.
    func waitToRetry(afterAttempt attempt: Int, error: any Error) async throws {
        guard attempt < policy.maximumAttempts, policy.isTransient(error), !policy.isTooSoon(after: error),
            takeFromBudget()
        else { throw error }
        let delay = policy.delay(afterAttempt: attempt, error: error)
        environment.logger.debug("trying again", metadata: ["attempt": "\(attempt + 1)", "delay": "\(delay)"])
        try await clock.sleep(for: delay)
    }

    private func takeFromBudget() -> Bool {
        guard let budget = policy.budget else { return true }
        return spent.withLock { spent in
            guard spent < budget else { return false }
            spent += 1
            return true
        }
    }

    /// Lists; after a break lists anew and leaves out what was delivered.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The pages.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        restarting { [base] in base.directoryListing(path: path) }
    }

    /// Searches; after a break searches anew and leaves out what was delivered.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        SearchResults(
            pages: restarting { [base] in base.searchFiles(path: path, recursive: recursive, query: query).pages }
        )
    }

    private func restarting(_ listing: @escaping @Sendable () -> DirectoryListing) -> DirectoryListing {
        DirectoryListing {
            let pages = RestartingPages(listing)
            return {
                try await pages.next { attempt, error in
                    try await self.waitToRetry(afterAttempt: attempt, error: error)
                }
            }
        }
    }
}

extension RetryingFileProvider where Base: FileProviderReadWriteProgressive {
    /// Opens a file; after a break opens it again at the byte where it broke.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: ``PreconditionFailedError`` from the stream if the content has changed meanwhile.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let open: @Sendable (ByteRange) async throws -> FileContentStream = { [self] range in
            try await pass(FileProviderCall(.contentStream, path: path)) {
                try await base.contentStream(path: path, range: range, reporting: progress)
            }
        }
        return resuming(try await open(range), path: path, reopen: open)
    }

    private func resuming(
        _ first: FileContentStream,
        path: ItemPath,
        reopen: @escaping @Sendable (ByteRange) async throws -> FileContentStream
    ) -> FileContentStream {
        let chunks = ResumingChunks(first, path: path, reopen: reopen)
        return FileContentStream(facts: first.facts) {
            try await chunks.next { attempt, error in
                try await self.waitToRetry(afterAttempt: attempt, error: error)
            }
        }
    }
}

extension RetryingFileProvider where Base: FileProviderConditionalReading {
    /// Opens a file that has changed; after a break opens it again at the byte where it broke.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: ``PreconditionFailedError`` from the stream if the content has changed meanwhile.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let first = try await pass(FileProviderCall(.changedContentStream, path: path)) { [self] in
            try await base.contentStream(path: path, range: range, unless: eTag, reporting: progress)
        }
        guard let first else { return nil }
        return resuming(first, path: path) { [self] range in
            try await pass(FileProviderCall(.contentStream, path: path)) {
                try await base.contentStream(path: path, range: range, reporting: progress)
            }
        }
    }
}

extension RetryingFileProvider where Base: FileProviderListedReading {
    /// Opens a listed file; after a break opens it again at the byte where it broke.
    package func contentStream(ofListed file: FileObject) async throws -> FileContentStream {
        let first = try await pass(FileProviderCall(.contentStream, path: file.path)) {
            try await base.contentStream(ofListed: file)
        }
        return resuming(first, path: file.path) { [self] range in
            try await pass(FileProviderCall(.contentStream, path: file.path)) {
                try await base.contentStream(path: file.path, range: range, reporting: nil)
            }
        }
    }
}

extension RetryingFileProvider where Base: FileProviderBatchOperations {
    /// Sets attributes; those that failed for a reason that passes are set again, without the others.
    ///
    /// Of several changes of one item only the last is repeated, so that none comes after a later one.
    ///
    /// - Parameter changes: Any number of items, each with its attributes.
    /// - Returns: For each item, success or the error of the last try.
    /// - Throws: Any error that the base throws.
    public func setAttributes(_ changes: [ItemAttributesChange]) async throws -> [Result<Void, any Error>] {
        let call = FileProviderCall(.setAttributesOfItems, path: changes.first?.path ?? .root, isIdempotent: true)
        var results = try await pass(call) { try await base.setAttributes(changes) }
        let keys = changes.map(\.path.looselyFolded)
        let repeatable = Set(Dictionary(zip(keys, changes.indices)) { $1 }.values)
        var attempt = 1
        while true {
            let broken = results.indices.filter { repeatable.contains($0) && policy.mayPass(results[$0]) }
            guard let first = broken.first, case .failure(let error) = results[first] else { return results }
            do {
                try await waitToRetry(afterAttempt: attempt, error: error)
                let again = try await base.setAttributes(broken.map { changes[$0] })
                for (index, result) in zip(broken, again) { results[index] = result }
            } catch let cancellation as CancellationError {
                throw cancellation
            } catch {
                // The attributes that were set stay set, whatever becomes of the rest.
                return results
            }
            attempt += 1
        }
    }
}

extension RetryPolicy {
    /// Returns whether something has failed that may pass by itself.
    fileprivate func mayPass(_ result: Result<Void, any Error>) -> Bool {
        guard case .failure(let error) = result else { return false }
        return isTransient(error)
    }
}

extension RetryingFileProvider where Base: ExtendedFileProvider {
    /// Asks for pictures of many files, and again for those that a bad line has broken.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How each picture is to be made.
    /// - Returns: For each path, in the same order, the picture or the error of the last try.
    /// - Throws: `CancellationError`; an error that keeps all pictures from being made.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await repeatingBroken(paths) { [base] in
            try await base.thumbnailsOfFiles(paths: $0, options: options)
        }
    }

    /// Asks for pictures of many listed files, and again for those that a bad line has broken.
    ///
    /// - Parameters:
    ///   - items: The files.
    ///   - options: How each picture is to be made.
    /// - Returns: For each file, in the same order, the picture or the error of the last try.
    /// - Throws: `CancellationError`; an error that keeps all pictures from being made.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await repeatingBroken(items) { [base] in
            try await base.thumbnailsOfFiles(listed: $0, options: options)
        }
    }

    /// Asks for several pictures, and again for those that failed for a reason that may pass.
    private func repeatingBroken<File: Sendable>(
        _ files: [File],
        _ ask: @Sendable ([File]) async throws -> [Result<Thumbnail, any Error>]
    ) async throws -> [Result<Thumbnail, any Error>] {
        var results: [Result<Thumbnail, any Error>]?
        var asked = Array(files.indices)
        var attempt = 1
        while true {
            var cause: (any Error)?
            do {
                let answers = try await ask(asked.map { files[$0] })
                var all = results ?? answers
                for (index, answer) in zip(asked, answers) { all[index] = answer }
                results = all
                asked = []
                for (index, result) in all.enumerated() {
                    guard case .failure(let error) = result, policy.isTransient(error) else { continue }
                    asked.append(index)
                    cause = cause ?? error
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                cause = error
            }
            if let results, cause == nil { return results }
            do {
                if let cause { try await waitToRetry(afterAttempt: attempt, error: cause) }
            } catch let error as CancellationError {
                throw error
            } catch {
                guard let results else { throw error }
                return results
            }
            attempt += 1
        }
    }
}

extension RetryingFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension RetryingFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension RetryingFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension RetryingFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension RetryingFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension RetryingFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension RetryingFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension RetryingFileProvider: FileProviderMonitor where Base: FileProviderMonitor {}
extension RetryingFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {}
extension RetryingFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension RetryingFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension RetryingFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension RetryingFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {}
extension RetryingFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {}
extension RetryingFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {}
extension RetryingFileProvider: FileProviderLearning where Base: FileProviderLearning {}
extension RetryingFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {}
extension RetryingFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension RetryingFileProvider: ExtendedFileProvider where Base: ExtendedFileProvider {}
extension RetryingFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension RetryingFileProvider: FileProviderUndoable where Base: FileProviderUndoable {}
extension RetryingFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
extension RetryingFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {}
extension RetryingFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {}
extension RetryingFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}
extension RetryingFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {}
extension RetryingFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension RetryingFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension RetryingFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension RetryingFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
extension RetryingFileProvider: FileProviderWholeReading where Base: FileProviderWholeReading {}
extension RetryingFileProvider: FileProviderBulkReading where Base: FileProviderBulkReading {}
extension RetryingFileProvider: FileProviderListedReading where Base: FileProviderListedReading {}
extension RetryingFileProvider: FileProviderDirectPartCopying where Base: FileProviderDirectPartCopying {}
