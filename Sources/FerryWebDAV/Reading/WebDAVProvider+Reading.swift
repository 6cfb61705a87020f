public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
import NIOCore

extension WebDAVProvider {
    /// Opens a file, or a part of it, for reading.
    ///
    /// One `GET`; a line that breaks is taken up again at the byte where it broke, where the server's eTag or date tells
    /// that the rest belongs to what has come.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; read it once.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        let attributes = HTTPFileAttributes()
        let request = try await request(for: .fetch(path: path), overwrite: false, attributes: attributes)
        return try await connection.contentStream(
            path: path,
            target: request.head.path ?? "/",
            range: range,
            reporting: progress
        )
    }

    /// Opens a file that has changed, or a part of it: one `GET` with `If-None-Match`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let attributes = HTTPFileAttributes()
        let request = try await request(for: .fetch(path: path), overwrite: false, attributes: attributes)
        return try await connection.contentStream(
            path: path,
            target: request.head.path ?? "/",
            range: range,
            unless: eTag,
            reporting: progress
        )
    }
}

extension WebDAVProvider {
    /// Reads all of a small file: one `GET`.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: Bytes at most.
    /// - Returns: The file; `nil` if it is longer.
    /// - Throws: As ``contentStream(path:range:reporting:)``; also for a line that broke.
    package func wholeFile(path: ItemPath, upTo limit: Int) async throws -> WholeFile? {
        let attributes = HTTPFileAttributes()
        let request = try await request(for: .fetch(path: path), overwrite: false, attributes: attributes)
        return try await connection.wholeFile(path: path, target: request.head.path ?? "/", upTo: limit)
    }
}

extension WebDAVConnection {
    /// Reads all of what a `GET` gives, if it is little.
    fileprivate func wholeFile(path: ItemPath, target: String, upTo limit: Int) async throws -> WholeFile? {
        let reply = try await get(path, target, [.acceptEncoding: "identity"])
        guard reply.status == .ok else {
            if reply.status.kind == .successful { return nil }
            throw try await contentError(of: reply, path: path)
        }
        // Packed though nobody asked for that: what it means takes a closer look.
        if !reply.contentCodings.isEmpty || reply.head.headerFields[.contentRange] != nil { return nil }
        let length = reply.contentLength
        if let length, length > limit { return nil }
        var contents = ByteBuffer()
        for try await chunk in reply.body {
            if contents.readableBytes == 0 { contents = chunk } else { contents.writeImmutableBuffer(chunk) }
            if contents.readableBytes > limit { return nil }
        }
        let received = Int64(contents.readableBytes)
        if let length, length != received { throw URLError.wrongLength(expected: length, received: received) }
        let version = ContentVersion(reply.head.headerFields)
        let facts = FileContentFacts(reply.head, version, size: length, range: length.map { 0..<$0 })
        return WholeFile(facts: facts.normalized, contents: contents)
    }

    /// Opens what a `GET` gives.
    ///
    /// - Parameters:
    ///   - path: The file, for errors, and to look at where the answer is an odd one.
    ///   - target: Path and query of the request, percent-encoded.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive.
    /// - Throws: As ``WebDAVProvider/contentStream(path:range:reporting:)``.
    package func contentStream(
        path: ItemPath,
        target: String,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        Self.normalized(try await download(path, target).open(range, reporting: progress))
    }

    /// Opens what a `GET` gives, if it is not what the asker has.
    ///
    /// - Parameters:
    ///   - path: The file, for errors, and to look at where the answer is an odd one.
    ///   - target: Path and query of the request, percent-encoded.
    ///   - range: The part to read.
    ///   - eTag: The version that the asker has.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive; `nil` if the file still has that version.
    /// - Throws: As ``WebDAVProvider/contentStream(path:range:reporting:)``.
    package func contentStream(
        path: ItemPath,
        target: String,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        let known = ContentVersion(eTag: eTag)
        return try await download(path, target).open(range, unless: known, reporting: progress)
            .map { Self.normalized($0.stream) }
    }

    private func download(_ path: ItemPath, _ target: String) -> ResumingDownload {
        ResumingDownload(path: path, policy: session.retryPolicy, clock: clock) { fields in
            try await self.get(path, target, fields)
        } refusal: { reply in
            try await self.contentError(of: reply, path: path)
        } listedSize: {
            try await self.listedSize(of: path)
        }
    }

    /// Listings have the same version in the same form.
    private static func normalized(_ stream: FileContentStream) -> FileContentStream {
        let facts = stream.facts.normalized
        return facts.eTag == stream.facts.eTag ? stream : stream.with(facts)
    }

    private func get(_ path: ItemPath, _ target: String, _ fields: HTTPFields) async throws -> HTTPReply {
        let request = origin.request(.get, target, fields)
        // Where a folder is asked for without a slash at its end, servers show the way to it: followed, that would end in
        // a page for people, or in a refusal that says nothing.
        var reply = try await session.send(request, options: HTTPRequestOptions(path: path, followsRedirects: false))
        if reply.status.kind == .redirection, reply.status != .notModified {
            if reply.leadsToFolder, try await isFolder(path) { throw CocoaError.isAFolder(path) }
            await reply.body.drain()
            reply = try await session.send(request, options: HTTPRequestOptions(path: path))
        }
        // All of a file where a part was asked for proves nothing: the file may have changed since it was begun.
        if reply.status == .partialContent, facts.tried.readsRanges == nil { learn { $0.tried.readsRanges = true } }
        if reply.status == .ok, reply.mayBePage(of: path), try await isFolder(path) { throw CocoaError.isAFolder(path) }
        return WebDAVFreshness(self, reply.head).applied(to: reply)
    }

    /// The error that a refused `GET` means: of a folder servers say 403, 404, 405 and more.
    private func contentError(of reply: HTTPReply, path: ItemPath) async throws -> any Error {
        switch reply.status.code {
        case 400, 403, 404, 405, 409, 410, 500, 501: break
        default: return await readingError(of: reply, path: path)
        }
        let answer = try await HTTPServerError.read(reply, path: path)
        if try await isFolder(path) { return CocoaError.isAFolder(path) }
        let error = answer.mapped()
        guard (error as? CocoaError)?.code == .fileNoSuchFile else { return error }
        // It is listed, so it isn't missing, whatever keeps it from being read.
        return CocoaError.file(.fileReadUnknown, path: path, underlying: answer)
    }
}

extension FileContentFacts {
    /// The same, with the version as listings tell it.
    fileprivate var normalized: Self {
        var facts = self
        facts.eTag = EntityTag.normalized(eTag)
        return facts
    }
}

extension HTTPReply {
    /// Indicates whether a redirect leads to a folder.
    fileprivate var leadsToFolder: Bool {
        let place = head.headerFields[.location]?.prefix { $0 != "?" && $0 != "#" }
        return place?.hasSuffix("/") ?? false
    }

    /// Returns whether the answer may be a page that shows a folder to people, in place of a file.
    fileprivate func mayBePage(of path: ItemPath) -> Bool {
        guard let type = head.headerFields.text(.contentType)?.lowercased() else { return false }
        if type.hasPrefix("httpd/unix-directory") || type.hasPrefix("inode/directory") { return true }
        return type.hasPrefix("text/html") && !["html", "htm", "shtml"].contains(path.pathExtension.lowercased())
    }
}
