public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

extension DropboxFileProvider: FileProviderBulkWriting {
    /// The limits of one commit, for which a thousand files of 8 KiB take 27 requests.
    private static let limits = BulkLimits(fileCount: 1_000, byteCount: 8 << 20)

    /// The number of times that a file is committed while other changes are under way.
    private static let busyAttempts = 6

    /// The limits of one call: 1,000 files, 8 MiB.
    public var bulkLimits: BulkLimits? { Self.limits }

    /// Writes small files with few requests: sessions are begun and committed together, and filled 40 at a time.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: A Boolean value that indicates whether existing files may be replaced.
    /// - Returns: For each file, in the same order, what Dropbox says of it, or why it could not be written.
    /// - Throws: `CancellationError`; what keeps all of them from being written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        var results = [Result<FileObject?, any Error>?](repeating: nil, count: files.count)
        var able: [BulkWrite] = []
        for (index, file) in files.enumerated() {
            let options = WriteOptions(overwrite: overwrite, modifiedDate: file.modifiedDate)
            do {
                let commit = try await commit(path: file.path, length: Int64(file.contents.count), options: options)
                able.append(BulkWrite(index: index, commit: commit, contents: file.contents))
            } catch let error as CocoaError {
                results[index] = .failure(error)
            }
        }
        for portion in Self.limits.portions(of: able.map(\.contents.count)) {
            try Task.checkCancellation()
            for (index, result) in try await write(Array(able[portion])) { results[index] = result }
        }
        return results.map { $0 ?? .failure(CancellationError()) }
    }

    /// Writes files that go into one request.
    private func write(_ files: [BulkWrite]) async throws -> [(Int, Result<FileObject?, any Error>)] {
        guard files.count > 1 else { return try await writeAlone(files) }
        let filled: [BulkWrite]
        do {
            filled = try await fill(files, sessions: try await sessions(files.count))
        } catch let error as DropboxError {
            // An app that may not use these routes writes each by itself.
            guard [400, 403, 404].contains(error.answeredStatusCode) else { throw error.mapped(whileWriting: true) }
            return try await writeAlone(files)
        }
        let outcomes = try await finish(filled)
        let missing = files.filter { file in !filled.contains { $0.index == file.index } }
        return outcomes + (try await writeAlone(missing))
    }

    private func sessions(_ count: Int) async throws -> [String] {
        let answer = try await connection.call(
            "files/upload_session/start_batch",
            ["num_sessions": .integer(Int64(count))],
            isIdempotent: true
        )
        guard case .list(let ids) = answer["session_ids"], ids.count == count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox began another number of uploads")
        }
        return ids.compactMap(\.string)
    }

    /// Sends all contents in one body.
    ///
    /// - Returns: The files whose sessions have all of their bytes.
    private func fill(_ files: [BulkWrite], sessions: [String]) async throws -> [BulkWrite] {
        guard sessions.count == files.count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox does not name the uploads")
        }
        var body = ByteBuffer()
        var filled = files
        var entries: [JSONValue] = []
        for index in files.indices {
            let contents = files[index].contents
            filled[index].session = sessions[index]
            body.writeBytes(contents)
            entries.append([
                "cursor": ["session_id": .text(sessions[index]), "offset": 0],
                "length": .integer(Int64(contents.count)), "close": true,
            ])
        }
        // A field can't hold a thousand entries: the argument of so many goes in several requests.
        var result: [BulkWrite] = []
        for range in Self.fieldPortions(entries) {
            let offset = files[..<range.lowerBound].reduce(0) { $0 + $1.contents.count }
            let length = files[range].reduce(0) { $0 + $1.contents.count }
            let bytes = body.getSlice(at: body.readerIndex + offset, length: length) ?? ByteBuffer()
            var request = try await connection.contentRequest(
                DropboxRoute("files/upload_session/append_batch", host: .content),
                ["entries": .list(Array(entries[range])), "content_hash": .text(DropboxContentHash.hash(bytes))],
                isUpload: true,
                isIdempotent: true
            )
            request.body = HTTPRequestBody(bytes)
            let data = try await connection.answer(to: request, about: files[range.lowerBound].commit.path)
            let answer = try DropboxConnection.decoded(JSONValue.self, from: data)
            guard case .list(let outcomes) = answer["entries"], outcomes.count == range.count else {
                throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other files")
            }
            for (file, outcome) in zip(filled[range], outcomes) where Self.hasArrived(outcome) { result.append(file) }
        }
        return result
    }

    /// Returns whether a session has its bytes: a second request after a lost answer finds it closed.
    private static func hasArrived(_ outcome: JSONValue) -> Bool {
        if outcome.tag == "success" { return true }
        return outcome["failure"].tag == "closed"
    }

    /// Ranges of entries whose text fits into a field of a request.
    private static func fieldPortions(_ entries: [JSONValue]) -> [Range<Int>] {
        // Servers take fields of 8 KiB at least; an entry is some 150 bytes.
        stride(from: 0, to: entries.count, by: entriesPerField).map {
            $0..<min($0 + entriesPerField, entries.count)
        }
    }

    private static let entriesPerField = 40

    // MARK: Committing

    private func finish(_ files: [BulkWrite]) async throws -> [(Int, Result<FileObject?, any Error>)] {
        var results: [(Int, Result<FileObject?, any Error>)] = []
        var left = files
        var attempt = 1
        while !left.isEmpty {
            let outcomes: [JSONValue]
            do {
                outcomes = try await commit(left)
            } catch let error as DropboxError where !error.mayHaveBeenDone {
                let failure = error.mapped(whileWriting: true)
                if results.isEmpty { throw failure }
                // Files that were committed before are there, whatever becomes of the rest.
                return results + left.map { ($0.index, .failure(failure)) }
            } catch let error where error.mayHaveBeenDone {
                // Those that are there were committed; the others are written again, each by itself.
                var rest: [BulkWrite] = []
                for file in left {
                    do {
                        let there = try await stored(file.commit, hash: file.hash, after: error)
                        if let there { results.append((file.index, .success(there))) } else { rest.append(file) }
                    } catch let cancellation as CancellationError {
                        throw cancellation
                    } catch {
                        results.append((file.index, .failure(error)))
                    }
                }
                return results + (try await writeAlone(rest))
            }
            var busy: [BulkWrite] = []
            for (file, outcome) in zip(left, outcomes) {
                if outcome.tag == "success" {
                    results.append((file.index, try await written(outcome, file)))
                    continue
                }
                let error = DropboxError(path: file.commit.path, details: outcome["failure"])
                if error.reason == .busy, attempt < Self.busyAttempts {
                    busy.append(file)
                } else {
                    results.append((file.index, .failure(file.commit.refusal(error))))
                }
            }
            left = busy
            guard !left.isEmpty else { break }
            OverloadListener.current?.heard()
            let delay = retryPolicy.delay(
                afterAttempt: attempt,
                error: DropboxError(path: .root, details: ["reason": "too_many_write_operations"]),
                jitter: .random(in: 0...1)
            )
            try await connection.clock.sleep(for: delay)
            attempt += 1
        }
        return results
    }

    private func commit(_ files: [BulkWrite]) async throws -> [JSONValue] {
        let entries = files.map { file -> JSONValue in
            [
                "cursor": [
                    "session_id": .text(file.session), "offset": .integer(Int64(file.contents.count)),
                ],
                "commit": .object(file.commit.members),
            ]
        }
        let answer = try await connection.call(
            "files/upload_session/finish_batch_v2",
            ["entries": .list(entries)],
            isIdempotent: false
        )
        guard case .list(let outcomes) = answer["entries"], outcomes.count == files.count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other files")
        }
        return outcomes
    }

    private func written(_ outcome: JSONValue, _ file: BulkWrite) async throws -> Result<FileObject?, any Error> {
        do {
            let data = try JSONEncoder().encode(outcome)
            let metadata = try DropboxConnection.decoded(CommittedFile.self, from: data).metadata
            let size = Int64(file.contents.count)
            return .success(try await verified(metadata, hash: file.hash, size: size, file.commit))
        } catch let error as CancellationError {
            throw error
        } catch {
            return .failure(error)
        }
    }

    // MARK: One by one

    private func writeAlone(_ files: [BulkWrite]) async throws -> [(Int, Result<FileObject?, any Error>)] {
        var results: [(Int, Result<FileObject?, any Error>)] = []
        for file in files {
            do {
                let written = try await writeStream(
                    path: file.commit.path,
                    contents: DataChunks(file.contents),
                    length: Int64(file.contents.count),
                    options: file.commit.options
                )
                results.append((file.index, .success(written)))
            } catch let error as CancellationError {
                throw error
            } catch {
                results.append((file.index, .failure(error)))
            }
        }
        return results
    }
}

/// A file of a bulk.
private struct BulkWrite: Sendable {
    /// Its place in the caller's list.
    let index: Int
    let commit: DropboxCommit
    let contents: Data
    var session: String?

    var hash: String { DropboxContentHash.hash(ByteBuffer(bytes: contents)) }
}

/// An entry of an answer about several files: the tag of the outcome, and the file beside it.
private struct CommittedFile: Decodable {
    let metadata: DropboxMetadata

    private enum CodingKeys: String, CodingKey {
        case success
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let nested = try? container.decode(DropboxMetadata.self, forKey: .success) {
            metadata = nested
        } else {
            // A struct stands beside the tag, whose value is then the outcome's: it is a file all the same.
            metadata = try DropboxMetadata(from: decoder)
        }
    }
}
