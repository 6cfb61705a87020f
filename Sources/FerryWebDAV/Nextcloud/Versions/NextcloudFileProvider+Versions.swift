public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Earlier contents of files.
extension NextcloudFileProvider: FileProviderVersioning {
    /// The earlier contents of a file; the present one is not among them.
    ///
    /// - Parameter path: The file.
    /// - Returns: Versions, latest first.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func versions(of path: ItemPath) async throws -> [FileVersion] {
        let (file, target) = try await versioned(path)
        let present = file.modifiedDate.map { Int64($0.timeIntervalSince1970) }
        let entries = try await entries(at: target, depth: .members, WebDAVPropertyRequest.item, about: path)
        let versions = entries.compactMap { entry -> FileVersion? in
            guard entry.properties.isCollection != true, let id = NextcloudFileProvider.lastName(of: entry.hrefText),
                let seconds = Int64(id), seconds != present
            else { return nil }
            return FileVersion(
                id: id,
                modifiedDate: Date(timeIntervalSince1970: TimeInterval(seconds)),
                size: entry.properties.contentLength
                    // The eTag that the server gives the version is not the one that the file had.
            )
        }
        return versions.sorted { ($0.modifiedDate ?? .distantPast) > ($1.modifiedDate ?? .distantPast) }
    }

    /// Opens an earlier content for reading.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Returns: Its bytes.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream {
        let (_, target) = try await versioned(path)
        let download = ResumingDownload(path: path, policy: connection.session.retryPolicy, clock: connection.clock) {
            [connection, place] fields in
            try await connection.session.send(
                place.origin.request(.get, "\(target)/\(version.id.formEscaped)", fields),
                options: HTTPRequestOptions(path: path)
            )
        } refusal: { reply in
            try await HTTPServerError.read(reply, path: path).mapped()
        } listedSize: {
            version.size
        }
        let stream = try await download.open(.all)
        let facts = FileContentFacts(
            size: stream.facts.size,
            range: stream.facts.range,
            eTag: version.eTag,
            modifiedDate: version.modifiedDate,
            contentType: stream.facts.contentType
        )
        return stream.with(facts)
    }

    /// Makes an earlier content the present one; the present one becomes a version itself.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    public func restore(_ version: FileVersion, of path: ItemPath) async throws {
        let (_, target) = try await versioned(path)
        let destination = place.origin.url(place.target("versions", userID) + "/restore/target")
        try await perform(.move, "\(target)/\(version.id.formEscaped)", [.destination: destination], about: path)
    }

    /// The file, and where its versions are.
    private func versioned(_ path: ItemPath) async throws -> (FileObject, String) {
        guard facts.hasVersions else { throw CocoaError.unsupported("earlier contents", path: path, isPlural: true) }
        let file = try await attributesOfItem(path: path)
        guard !file.isDirectory else { throw CocoaError.isAFolder(path) }
        guard let id = file.id else { throw CocoaError.unsupported("earlier contents", path: path, isPlural: true) }
        let target =
            facts.product == .nextcloud
            ? place.target("versions", userID) + "/versions/\(id.formEscaped)"
            : "\(place.prefix)/remote.php/dav/meta/\(id.formEscaped)/v"
        return (file, target)
    }
}
