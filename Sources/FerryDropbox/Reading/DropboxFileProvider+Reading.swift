public import FerryCore
import FerryHTTP
public import Foundation
import HTTPTypes
import Synchronization

extension DropboxFileProvider {
    /// Opens a file for reading; a line that breaks is taken up again at the byte where it broke.
    ///
    /// The content hash is compared where all of the file is read. A document that has no content of its own is exported.
    ///
    /// - Parameters:
    ///   - path: The file; `rev:` leads to an earlier content.
    ///   - range: The bytes.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; errors of the connection.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        try DropboxPath.checkAddress(path)
        return try await DropboxDownload(self, path: path).open(range, reporting: progress)
    }

    /// Opens a file for reading unless it still has a known eTag.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The bytes.
    ///   - eTag: The known eTag.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive; `nil` if the file has not changed.
    /// - Throws: As ``contentStream(path:range:reporting:)``.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        unless eTag: String,
        reporting progress: Progress?
    ) async throws -> FileContentStream? {
        try progress.checkCancellation()
        let item = try await attributesOfItem(path: path)
        guard !item.isDirectory else { throw CocoaError.isAFolder(path) }
        if item.eTag == eTag { return nil }
        return try await contentStream(path: path, range: range, reporting: progress)
    }
}

/// A download of one file, whose later requests are for the revision that the first one brought.
struct DropboxDownload: Sendable {
    /// The facts that the first answer told.
    private final class Answered: Sendable {
        struct State {
            var metadata: DropboxMetadata?
            var isExport = false
            var exportedSize: Int64?
        }

        let state = Mutex(State())
    }

    private let provider: DropboxFileProvider
    private let path: ItemPath
    private let page: String?
    private let answered = Answered()

    /// Makes a download.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - path: The file, its identifier or one of its revisions.
    ///   - page: The page of a file that is not among those of the account: then the path is for errors only.
    init(_ provider: DropboxFileProvider, path: ItemPath, page: String? = nil) {
        self.provider = provider
        self.path = path
        self.page = page
    }

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - range: The bytes.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    func open(_ range: ByteRange, reporting progress: Progress?) async throws -> FileContentStream {
        let connection = provider.connection
        let download = ResumingDownload(path: path, policy: connection.retryPolicy, clock: connection.clock) { fields in
            try await send(fields)
        } refusal: { reply in
            try await connection.refusal(reply, about: path).mapped()
        } listedSize: {
            answered.state.withLock { $0.exportedSize ?? $0.metadata?.size }
        }
        let stream = try await download.open(range, reporting: progress)
        return verified(stream, range)
    }

    private func send(_ fields: HTTPFields) async throws -> HTTPReply {
        let (known, isExport) = answered.state.withLock { ($0.metadata, $0.isExport) }
        if isExport { return try await export() }
        let source = known?.rev.map { ItemPath(revision: $0) } ?? path
        var request = try await provider.connection.contentRequest(
            page == nil ? .download : .linkDownload,
            page.map { ["url": .text($0)] } ?? ["path": .text(DropboxPath.text(source))],
            isUpload: false,
            isIdempotent: true
        )
        for field in fields { request.head.headerFields[field.name] = field.value }
        let reply = try await provider.connection.send(request, about: path)
        guard reply.status.kind == .successful else {
            guard reply.status == .conflict else { return reply }
            let error = try await provider.connection.refusal(reply, about: path)
            if error.tags.first == "shared_link_not_found" { throw CocoaError.noSuchItem(path, underlying: error) }
            // Documents of Dropbox Paper have no content of their own; exporting one needs its path, and a link has none.
            guard page == nil, error.tags.first == "unsupported_file" else { throw error.mapped() }
            return try await export()
        }
        return noting(reply)
    }

    /// Asks for what a document is exported as; there are no ranges of it.
    private func export() async throws -> HTTPReply {
        let request = try await provider.connection.contentRequest(
            DropboxRoute("files/export", host: .content),
            ["path": .text(DropboxPath.text(path))],
            isUpload: false,
            isIdempotent: true
        )
        let reply = try await provider.connection.send(request, about: path)
        guard reply.status.kind == .successful else { return reply }
        let result = Self.result(JSONValue.self, of: reply)
        answered.state.withLock { state in
            state.isExport = true
            state.exportedSize = result?["export_metadata"]["size"].integer
        }
        return reply
    }

    /// Notes what an answer says of the file, and gives it a tag by which later answers are compared with it.
    private func noting(_ reply: HTTPReply) -> HTTPReply {
        guard let metadata = Self.result(DropboxMetadata.self, of: reply) else { return reply }
        answered.state.withLock { state in
            if state.metadata == nil { state.metadata = metadata }
        }
        var reply = reply
        reply.head.headerFields[.eTag] = metadata.rev.map { "\"\($0)\"" }
        return reply
    }

    private static func result<Result: Decodable>(_ type: Result.Type, of reply: HTTPReply) -> Result? {
        guard let text = reply.head.headerFields[.dropboxResult] else { return nil }
        // A content without words about it is a content all the same.
        return try? JSONDecoder().decode(type, from: Data(text.utf8))
    }

    // MARK: Verifying

    private func verified(_ stream: FileContentStream, _ range: ByteRange) -> FileContentStream {
        guard let metadata = answered.state.withLock({ $0.metadata }), let item = metadata.item(in: path.parent) else {
            return stream
        }
        var facts = FileContentFacts(file: item, range: range)
        facts.range = stream.facts.range ?? facts.range
        facts.contentType = stream.facts.contentType.flatMap { $0 == "application/octet-stream" ? nil : $0 }
        let isWhole = facts.range.map { $0.lowerBound == 0 && Int64($0.count) == metadata.size } ?? false
        guard isWhole, let expected = metadata.contentHash else { return stream.with(facts) }
        let hash = RunningContentHash()
        return stream.with(facts) { [path] chunk in
            if let chunk {
                hash.pass(chunk)
            } else if hash.finish() != expected {
                throw URLError.otherContent(about: path, description: "what arrived is not what Dropbox has")
            }
        }
    }
}
