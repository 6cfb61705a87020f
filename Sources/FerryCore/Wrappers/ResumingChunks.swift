import Foundation
import NIOCore

/// A stream that is opened again, after a break, at the byte where it broke.
actor ResumingChunks {
    private let path: ItemPath
    private let facts: FileContentFacts
    private let reopen: @Sendable (ByteRange) async throws -> FileContentStream
    private var iterator: FileContentStream.AsyncIterator
    private var received: Int64 = 0
    private var attempt = 1

    init(
        _ stream: FileContentStream,
        path: ItemPath,
        reopen: @escaping @Sendable (ByteRange) async throws -> FileContentStream
    ) {
        self.path = path
        self.facts = stream.facts
        self.reopen = reopen
        self.iterator = stream.makeAsyncIterator()
    }

    /// The next chunk; `wait` throws when there shall be no further try.
    func next(wait: @Sendable (_ attempt: Int, _ error: any Error) async throws -> Void) async throws -> ByteBuffer? {
        while true {
            var advancing = iterator
            do {
                let chunk = try await advancing.next()
                iterator = advancing
                received += Int64(chunk?.readableBytes ?? 0)
                return chunk
            } catch {
                try await wait(attempt, error)
                attempt += 1
                try await openRest(after: error)
            }
        }
    }

    /// Without an eTag or a range nobody can say that the rest belongs to what has come: then the error stands.
    private func openRest(after error: any Error) async throws {
        guard let range = facts.range, let eTag = facts.eTag else { throw error }
        let rest = range.lowerBound + received..<range.upperBound
        let stream = try await reopen(.bytes(rest))
        guard stream.facts.eTag == eTag else { throw PreconditionFailedError(path: path) }
        iterator = stream.makeAsyncIterator()
    }
}

/// A listing that begins anew after a break, and leaves out what it has delivered.
actor RestartingPages {
    private let listing: @Sendable () -> DirectoryListing
    private var iterator: DirectoryListing.AsyncIterator
    private var delivered: Set<ItemPath> = []
    private var attempt = 1

    init(_ listing: @escaping @Sendable () -> DirectoryListing) {
        self.listing = listing
        self.iterator = listing().makeAsyncIterator()
    }

    /// The next page; `wait` throws when there shall be no further try.
    func next(wait: @Sendable (_ attempt: Int, _ error: any Error) async throws -> Void) async throws -> [FileObject]? {
        while true {
            var advancing = iterator
            do {
                let page = try await advancing.next()
                iterator = advancing
                guard let page else { return nil }
                // Only after a break can anything come twice.
                let fresh = attempt == 1 ? page : page.filter { !delivered.contains($0.path) }
                delivered.formUnion(fresh.lazy.map(\.path))
                return fresh
            } catch {
                try await wait(attempt, error)
                attempt += 1
                iterator = listing().makeAsyncIterator()
            }
        }
    }
}
