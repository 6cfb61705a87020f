public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import NIOCore

/// Many small files in few requests.
///
/// A bulk replaces what is there, so only files go into one of which a listing has just said that they aren't there; the
/// others are written one by one. The server verifies a checksum of each, and says of each what became of it.
extension NextcloudFileProvider: FileProviderBulkWriting {
    private static let limits = BulkLimits(fileCount: 100, byteCount: 10 << 20)

    /// Requests at the same time.
    private static let concurrency = 3

    /// 100 files, 10 MiB in all; `nil` if the server takes no bulks.
    public var bulkLimits: BulkLimits? { facts.takesBulk ? Self.limits : nil }

    /// Writes small files, each as if by itself.
    ///
    /// - Parameters:
    ///   - files: Any number of files, each of another path.
    ///   - overwrite: Whether existing files may be replaced.
    /// - Returns: For each file, in the same order, what the server says of it, or why it could not be written.
    /// - Throws: `CancellationError`; what keeps all of them from being written.
    public func writeFiles(_ files: [BulkFile], overwrite: Bool) async throws -> [Result<FileObject?, any Error>] {
        var results = [Result<FileObject?, any Error>?](repeating: nil, count: files.count)
        let candidates = try await bulkCandidates(files)
        let portions = NextcloudBulk.portions(candidates.map { files[$0].contents.count }, Self.limits)
            .map { candidates[$0] }
        try await inParallel(portions) { portion in
            try await self.send(portion.map { ($0, files[$0]) })
        } collecting: { written in
            for (index, file) in written { results[index] = .success(file) }
        }
        let rest = files.indices.filter { results[$0] == nil }
        try await inParallel(rest) { index in
            (index, try await self.writeAlone(files[index], overwrite: overwrite))
        } collecting: { index, result in
            results[index] = result
        }
        return results.map { $0 ?? .failure(CancellationError()) }
    }

    /// Which files can go in bulks.
    private func bulkCandidates(_ files: [BulkFile]) async throws -> [Int] {
        guard facts.takesBulk, files.count > 1 else { return [] }
        let folders = Set(files.map(\.path.parent))
        var existing: Set<ItemPath> = []
        var listed: Set<ItemPath> = []
        for folder in folders {
            do {
                for name in try await names(in: folder) { existing.insert(folder.appending(name).normalized) }
                listed.insert(folder)
            } catch let error as CocoaError {
                // Each file of it will say why.
                environment.logger.debug("no bulk into a folder", metadata: ["code": "\(error.code.rawValue)"])
            }
        }
        return files.indices.filter { index in
            let file = files[index]
            return listed.contains(file.path.parent) && !existing.contains(file.path.normalized)
                && !file.path.isIdentifier && !file.path.isRoot
                && facts.problem(withName: file.path.lastComponent) == nil
                && file.contents.count <= Self.limits.byteCount && NextcloudBulk.canName(serverPath(file.path))
        }
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

    /// Sends a bulk.
    ///
    /// - Returns: The files that were written; those that weren't will be tried one by one.
    private func send(_ files: [(index: Int, file: BulkFile)]) async throws -> [(Int, FileObject)] {
        let bulk = NextcloudBulk(files.map { (serverPath($0.file.path), $0.file) })
        let reply: HTTPReply
        let data: Data
        do {
            reply = try await connection.session.send(
                place.origin.request(
                    .post,
                    "\(place.prefix)/remote.php/dav/bulk",
                    [.contentType: "multipart/related; boundary=\(bulk.boundary)", .accept: "application/json"]
                ),
                body: HTTPRequestBody(bulk.body),
                options: HTTPRequestOptions(isIdempotent: false)
            )
            data = try await reply.body.collect(upTo: 16 << 20)
        } catch let error as URLError where error.code == .networkConnectionLost {
            // What has arrived of it will be seen when the files are written one by one.
            return []
        }
        if reply.status.code == 401 || reply.status.code == 429 || reply.status.code == 503 {
            throw HTTPServerError(reply, path: .root, body: data).mapped(whileWriting: true)
        }
        guard reply.status.kind == .successful, let answer = try? JSONDecoder().decode(OCSValue.self, from: data) else {
            return []
        }
        return files.compactMap { index, file in
            let result = answer[serverPath(file.path)]
            guard result["error"].flag == false else { return nil }
            var written = FileObject(path: file.path, type: .file)
            written.size = Int64(file.contents.count)
            written.eTag = EntityTag.normalized(result["etag"].text)
            written.id = result["fileid"].text.flatMap(Self.number)
            written.modifiedDate = file.modifiedDate
            return (index, written)
        }
    }

    private func writeAlone(_ file: BulkFile, overwrite: Bool) async throws -> Result<FileObject?, any Error> {
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
        } catch {
            return .failure(error)
        }
    }

    /// Does several things at a time.
    private func inParallel<Element: Sendable, Output: Sendable>(
        _ elements: [Element],
        _ body: @escaping @Sendable (Element) async throws -> Output,
        collecting: (Output) -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Output.self) { group in
            for (count, element) in elements.enumerated() {
                if count >= Self.concurrency, let output = try await group.next() { collecting(output) }
                group.addTask { try await body(element) }
            }
            for try await output in group { collecting(output) }
        }
    }
}

extension ItemPath {
    /// The path as the server keeps it: in composed form.
    fileprivate var normalized: ItemPath { ItemPath(string.precomposedStringWithCanonicalMapping) ?? self }
}
