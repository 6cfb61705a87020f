public import FerryCore
public import Foundation
import HTTPTypes

extension HTTPFileProvider {
    /// Opens a file; after a cut it goes on at the byte where the line broke.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part to read.
    ///   - progress: Counts the bytes as they are read from the stream.
    /// - Returns: The facts of the answer, and the bytes as they arrive.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `CocoaError.isAFolder(_:)` for a folder.
    public func contentStream(
        path: ItemPath,
        range: ByteRange,
        reporting progress: Progress?
    ) async throws -> FileContentStream {
        try progress.checkCancellation()
        let download = download(path)
        guard let cache else { return try await download.open(range, reporting: progress) }
        return try await cache.open(range, key: cacheKey(of: path), by: download, reporting: progress)
    }

    /// Opens a file that has changed, with one `GET` and `If-None-Match`.
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
        try progress.checkCancellation()
        return try await download(path).open(range, unless: ContentVersion(eTag: eTag), reporting: progress)?.stream
    }

    private func download(_ path: ItemPath) -> ResumingDownload {
        ResumingDownload(path: path, policy: retryPolicy) { fields in
            var request = try await self.request(
                for: .fetch(path: path),
                overwrite: false,
                attributes: HTTPFileAttributes()
            )
            for field in fields { request.head.headerFields[field.name] = field.value }
            return try await self.send(request, about: path)
        } refusal: { reply in
            let error = try await self.serverError(of: reply, path: path)
            return try await self.refusalOfReading(error, path: path, wantsFolder: false)
        } listedSize: {
            try await self.attributesOfItem(path: path).size
        } facts: { head, facts in
            self.contentFacts(from: head, path: path, facts: facts)
        }
    }

    /// Returns what content is remembered by.
    func cacheKey(of path: ItemPath) -> String {
        "\(credential?.user ?? "")@\(baseURL?.absoluteString ?? Self.type)\(path.string)"
    }
}
