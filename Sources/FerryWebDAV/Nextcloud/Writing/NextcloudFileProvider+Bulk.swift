public import FerryCore
import FerryCrypto
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import NIOCore

/// Many small files in few requests.
///
/// A bulk replaces what is there, each file as a whole: the server stores one when it has all of it, and has compared its
/// checksum. So where nothing may be replaced, only files go into a bulk of which a listing has just said that they
/// aren't there; the others are written one by one, and so are those that the server could not store.
extension NextcloudFileProvider: FileProviderBulkWriting {
    private static let limits = BulkLimits(fileCount: 100, byteCount: 10 << 20)

    /// Requests at the same time.
    private static let concurrency = 3

    /// 100 files, 10 MiB in all; `nil` if the server takes no bulks.
    public var bulkLimits: BulkLimits? { facts.takesBulk ? Self.limits : nil }

    /// The outcome for a file in a bulk.
    private enum BulkOutcome: Sendable {
        case written(FileObject)
        /// The server says that it has not stored it.
        case refused
        /// The answer is lost: the server may have stored it.
        case unknown
    }

    /// Writes small files, each as if by itself.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: `true` if existing files may be replaced.
    /// - Returns: For each file, in the same order, what the server says of it, or why it could not be written.
    /// - Throws: `CancellationError`; what keeps all of them from being written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        var results = [Result<FileObject?, any Error>?](repeating: nil, count: files.count)
        var unknown: Set<Int> = []
        let candidates = try await bulkCandidates(files, overwrite: overwrite)
        let portions = Self.limits.portions(of: candidates.map { files[$0].contents.count }).map { candidates[$0] }
        let outcomes = try await inParallel(portions, concurrency: Self.concurrency) { portion in
            try await self.sendPatiently(portion.map { ($0, files[$0]) }, overwrite: overwrite)
        }
        for (index, outcome) in outcomes.joined() {
            switch outcome {
            case .written(let file): results[index] = .success(file)
            case .refused: break
            case .unknown: unknown.insert(index)
            }
        }
        let rest = files.indices.filter { results[$0] == nil }
        let alone = try await inParallel(rest, concurrency: Self.concurrency) { [unknown] index in
            try await self.writeAlone(files[index], overwrite: overwrite, mayBeThere: unknown.contains(index))
        }
        for (index, result) in zip(rest, alone) { results[index] = result }
        return results.map { $0 ?? .failure(CancellationError()) }
    }

    /// Which files can go in bulks.
    private func bulkCandidates(_ files: [BulkFile], overwrite: Bool) async throws -> [Int] {
        guard facts.takesBulk, files.count > 1 else { return [] }
        var seen: Set<ItemPath> = []
        let able = files.indices.filter { index in
            let file = files[index]
            return !file.path.beginsWithIdentifier && !file.path.isRoot
                && facts.problem(withName: file.path.lastComponent) == nil
                && file.contents.count <= Self.limits.byteCount && NextcloudBulk.canName(serverPath(file.path))
                // Two names that the server takes for one: the later file is not to replace the first unasked.
                && seen.insert(file.path.normalized).inserted
        }
        // A replacement without a date of its own needs a look: within a second, its eTag would stay the same.
        let doubtful = able.filter { !overwrite || files[$0].modifiedDate == nil }
        let known = try await existing(in: Set(doubtful.map { files[$0].path.parent }))
        let isDoubtful = Set(doubtful)
        return able.filter { index in
            guard isDoubtful.contains(index) else { return true }
            return known[files[index].path.parent]?.contains(files[index].path.normalized) == false
        }
    }

    /// Returns what is in folders, several of which are asked at a time; nothing of one that can't be listed.
    private func existing(in folders: Set<ItemPath>) async throws -> [ItemPath: Set<ItemPath>] {
        let listed = try await inParallel(Array(folders), concurrency: Self.concurrency) {
            folder -> (ItemPath, Set<ItemPath>)? in
            do {
                return (folder, Set(try await self.names(in: folder).map { folder.appending($0).normalized }))
            } catch let error as CocoaError {
                // Each file of it will say why.
                let code = "\(error.code.rawValue)"
                self.connection.environment.logger.debug("no bulk into a folder", metadata: ["code": "\(code)"])
                return nil
            }
        }
        return Dictionary(uniqueKeysWithValues: listed.compactMap(\.self))
    }

    /// The names in a folder, and nothing else about the items.
    private func names(in folder: ItemPath) async throws -> [String] {
        let target = connection.target(folder, isFolder: true)
        let entries = try await entries(
            at: target,
            depth: .members,
            [WebDAVPropertyName("resourcetype")],
            about: folder
        )
        let here = entries.first { Self.decoded($0.hrefText) == Self.decoded(target) }
        // Of a file the server tells nothing but itself.
        if let here, here.properties.isCollection != true { throw CocoaError.notAFolder(folder, whileWriting: true) }
        return entries.compactMap { path(of: $0) }.filter { $0 != folder }.map(\.lastName)
    }

    private static func decoded(_ href: String) -> String {
        var text = href.removingPercentEncoding ?? href
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// Sends a bulk; again, after a while, if the server has too much to do.
    ///
    /// One by one the files would be more work for it than together.
    ///
    /// - Returns: The outcome for each file.
    /// - Throws: `CancellationError`; what keeps all of them from being written.
    private func sendPatiently(
        _ files: [(index: Int, file: BulkFile)],
        overwrite: Bool
    ) async throws -> [(Int, BulkOutcome)] {
        let policy = connection.session.retryPolicy
        var left = files
        var outcomes: [(Int, BulkOutcome)] = []
        var attempt = 1
        while true {
            do {
                return outcomes + (try await send(left))
            } catch let error where attempt < policy.maximumAttempts && policy.isTransient(error) {
                guard !policy.isTooSoon(after: error) else { throw error }
                OperationContext.current.overloadListener?.heard()
                try await policy.wait(after: error, attempt: attempt, clock: connection.clock)
            }
            attempt += 1
            if overwrite { continue }
            // Files that it has stored before it gave up are not to be replaced.
            let known = try await existing(in: Set(left.map { $0.file.path.parent }))
            let there = left.filter { known[$0.file.path.parent]?.contains($0.file.path.normalized) != false }
            outcomes += there.map { ($0.index, .unknown) }
            left.removeAll { file in there.contains { $0.index == file.index } }
            if left.isEmpty { return outcomes }
        }
    }

    /// Sends a bulk.
    ///
    /// - Returns: The outcome for each file.
    private func send(_ files: [(index: Int, file: BulkFile)]) async throws -> [(Int, BulkOutcome)] {
        let bulk = NextcloudBulk(files.map { (serverPath($0.file.path), $0.file) })
        let reply: HTTPReply
        let data: Data
        do {
            reply = try await connection.session.send(
                place.origin.request(
                    .post,
                    "\(place.prefix)/remote.php/dav/bulk",
                    [
                        .contentType: "multipart/related; boundary=\(bulk.boundary)", .accept: "application/json",
                        // Without, a POST with cookies ends their session: the password is checked anew, which can take
                        // longer than the files, and whoever uses the session has to log in again.
                        .ocsRequest: "true",
                    ]
                ),
                body: HTTPRequestBody(bulk.body),
                options: HTTPRequestOptions(isIdempotent: false)
            )
            data = try await reply.body.collect(upTo: 16 << 20)
        } catch let error as URLError where error.code == .networkConnectionLost || error.code == .timedOut {
            return files.map { ($0.index, .unknown) }
        }
        if reply.status.code == 401 || reply.status.code == 429 || reply.status.code == 503 {
            throw HTTPServerError(reply, path: .root, body: data).mapped(whileWriting: true)
        }
        // A bulk that ends too early is a bad request, whose answer tells what was stored before.
        guard let answer = try? JSONDecoder().decode(OCSValue.self, from: data), case .object(let results) = answer
        else { return files.map { ($0.index, reply.status.kind == .clientError ? .refused : .unknown) } }
        return files.map { index, file in
            guard let result = results[serverPath(file.path)], result["error"].flag == false else {
                return (index, .refused)
            }
            var written = FileObject(path: file.path, type: .file)
            written.size = Int64(file.contents.count)
            written.eTag = EntityTag.normalized(result["etag"].text)
            written.id = result["fileid"].text.flatMap(Self.number)
            // As the server keeps it, which is how it is told later.
            if let date = file.modifiedDate, capabilities.keepsDate(date) {
                written.modifiedDate = date.rounded(to: capabilities.datePrecision)
            }
            return (index, .written(written))
        }
    }

    /// Writes one file by itself.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - overwrite: `true` if an existing file may be replaced.
    ///   - mayBeThere: `true` if a bulk may have stored it already, so that it isn't in its own way.
    /// - Returns: The file as the server reports it, or the error that kept it from being written.
    /// - Throws: `CancellationError`.
    private func writeAlone(
        _ file: BulkFile,
        overwrite: Bool,
        mayBeThere: Bool
    ) async throws -> Result<FileObject?, any Error> {
        do {
            return .success(
                try await writeStream(
                    path: file.path,
                    contents: DataChunks(file.contents),
                    length: Int64(file.contents.count),
                    options: WriteOptions(overwrite: overwrite, modifiedDate: file.modifiedDate)
                )
            )
        } catch let error as CancellationError {
            throw error
        } catch let error as CocoaError where mayBeThere && error.code == .fileWriteFileExists {
            do {
                return try await stored(file).map { .success($0) } ?? .failure(error)
            } catch let error as CancellationError {
                throw error
            } catch {
                // It could not be determined whether the file is ours: that is no proof that it is another's.
                return .failure(error)
            }
        } catch {
            return .failure(error)
        }
    }

    /// The file as it is on the server, if that is what was sent.
    private func stored(_ file: BulkFile) async throws -> FileObject? {
        let item = try await itemAttributes(path: file.path)
        guard item.isRegularFile, item.size == Int64(file.contents.count),
            try await storedChecksum(of: file.path, eTag: item.eTag)
                == HashAlgorithm.sha256.hash(file.contents).hexadecimal
        else { return nil }
        return item
    }
}

extension ItemPath {
    /// The path as the server keeps it: in composed form.
    fileprivate var normalized: ItemPath { ItemPath(string.precomposedStringWithCanonicalMapping) ?? self }
}
