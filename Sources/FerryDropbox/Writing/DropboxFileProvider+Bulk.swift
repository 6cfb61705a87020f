public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

extension DropboxFileProvider: FileProviderBulkWriting {
    /// The limits of one commit, whose bytes are held while they go.
    ///
    /// A thousand files of 8 KiB take some 25 requests.
    private static let limits = BulkLimits(fileCount: 1_000, byteCount: 4 << 20)

    /// The number of times that a file is committed while other changes are under way.
    private static let busyAttempts = 6

    /// The limits of one call: 1,000 files, 4 MiB.
    public var bulkLimits: BulkLimits? { Self.limits }

    /// Writes small files with few requests: sessions are begun and committed together, and filled about 50 at a time.
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
        let sent = Set(filled.map(\.index))
        let missing = files.filter { !sent.contains($0.index) }
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

    /// Sends all contents, in few requests.
    ///
    /// - Returns: The files whose sessions have all of their bytes.
    private func fill(_ files: [BulkWrite], sessions: [String]) async throws -> [BulkWrite] {
        guard sessions.count == files.count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox does not name the uploads")
        }
        var filled = files
        var entries: [JSONValue] = []
        for index in files.indices {
            let contents = files[index].contents
            filled[index].session = sessions[index]
            entries.append([
                "cursor": ["session_id": .text(sessions[index]), "offset": 0],
                "length": .integer(Int64(contents.count)), "close": true,
            ])
        }
        // A field can't hold a thousand entries: the argument of so many goes in several requests.
        var result: [BulkWrite] = []
        for range in Self.fieldPortions(of: sessions) {
            var body = ByteBuffer()
            body.reserveCapacity(files[range].reduce(0) { $0 + $1.contents.count })
            for file in files[range] { body.writeBytes(file.contents) }
            var request = try await connection.contentRequest(
                DropboxRoute("files/upload_session/append_batch", host: .content),
                ["entries": .list(Array(entries[range])), "content_hash": .text(DropboxContentHash.hash(body))],
                isUpload: true,
                isIdempotent: true
            )
            request.body = HTTPRequestBody(body)
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

    /// Returns the ranges of entries whose text fits into a field of a request, which servers take up to 8 KiB at least.
    ///
    /// - Parameter sessions: The identifiers of the uploads, one for each entry.
    /// - Returns: The ranges, in order.
    static func fieldPortions(of sessions: [String]) -> [Range<Int>] {
        // The words of an entry, and the digits of a length that fits into a request.
        let sizes = sessions.map { $0.utf8.count + 80 }
        return BulkLimits(fileCount: sessions.count, byteCount: 7_500).portions(of: sizes)
    }

    // MARK: Committing

    private func finish(_ files: [BulkWrite]) async throws -> [(Int, Result<FileObject?, any Error>)] {
        var results: [(Int, Result<FileObject?, any Error>)] = []
        var left = files
        var attempt = 1
        while !left.isEmpty {
            let outcomes: [CommitOutcome]
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
                let details: JSONValue
                switch outcome {
                case .written(let metadata):
                    results.append((file.index, try await written(metadata, file)))
                    continue
                case .refused(let failure): details = failure
                }
                let error = DropboxError(path: file.commit.path, details: details)
                if error.reason == .busy, attempt < Self.busyAttempts {
                    busy.append(file)
                } else {
                    results.append((file.index, .failure(file.commit.refusal(error))))
                }
            }
            left = busy
            guard !left.isEmpty else { break }
            OperationContext.current.overloadListener?.heard()
            let delay = retryPolicy.delay(
                afterAttempt: attempt,
                error: DropboxError(path: .root, details: ["reason": "too_many_write_operations"])
            )
            try await connection.clock.sleep(for: delay)
            attempt += 1
        }
        return results
    }

    private func commit(_ files: [BulkWrite]) async throws -> [CommitOutcome] {
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
            as: CommitOutcomes.self,
            isIdempotent: false
        )
        guard answer.entries.count == files.count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other files")
        }
        return answer.entries
    }

    private func written(
        _ metadata: DropboxMetadata?,
        _ file: BulkWrite
    ) async throws -> Result<FileObject?, any Error> {
        do {
            guard let metadata else {
                throw URLError.answer(.cannotParseResponse, description: "the answer of the server makes no sense")
            }
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

/// The answer about several files, in their order.
private struct CommitOutcomes: Decodable {
    let entries: [CommitOutcome]
}

/// The outcome for one of several files.
private enum CommitOutcome: Decodable {
    /// The file is written; `nil` where its description makes no sense.
    case written(DropboxMetadata?)
    /// It is not, and these are the tags of the reason.
    case refused(JSONValue)

    private enum CodingKeys: String, CodingKey {
        case tag = ".tag"
        case success, failure
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard try container.decode(String.self, forKey: .tag) == "success" else {
            self = .refused(try container.decodeIfPresent(JSONValue.self, forKey: .failure) ?? .null)
            return
        }
        // A struct stands beside the tag, whose value is then the outcome's: it is a file all the same.
        let nested = try? container.decode(DropboxMetadata.self, forKey: .success)
        self = .written(nested ?? (try? DropboxMetadata(from: decoder)))
    }
}
