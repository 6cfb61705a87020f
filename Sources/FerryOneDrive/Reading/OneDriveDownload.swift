import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// A download of one file from a URL that carries its own permission, and is asked for anew when it has expired.
struct OneDriveDownload: Sendable {
    /// The source that the service has named.
    private struct Source: Sendable {
        /// The file; `nil` for an earlier content.
        var item: GraphItem?
        /// The file as it is shown; `nil` for an earlier content.
        var file: FileObject?
        /// The URL that gives the content without a login.
        var url: String
    }

    private final class State: Sendable {
        let source = Mutex<Source?>(nil)
        /// The source that a listing has brought, until it is used.
        let listed: Mutex<Source?>

        init(listed: Source?) {
            self.listed = Mutex(listed)
        }
    }

    private let provider: OneDriveFileProvider
    private let path: ItemPath
    private let state: State

    /// Makes a download.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - path: The file, its identifier or one of its revisions.
    ///   - listed: The file as a listing brought it a moment ago; `nil` to ask for it.
    init(_ provider: OneDriveFileProvider, path: ItemPath, listed: (item: GraphItem, file: FileObject)? = nil) {
        self.provider = provider
        self.path = path
        state = State(
            listed: listed.flatMap { listed in
                listed.item.downloadURL.map { Source(item: listed.item, file: listed.file, url: $0) }
            }
        )
    }

    private var connection: GraphConnection { provider.connection }

    /// Opens the file.
    ///
    /// - Parameters:
    ///   - range: The bytes.
    ///   - progress: Bytes.
    /// - Returns: The bytes as they arrive.
    /// - Throws: `CocoaError.fileNoSuchFile`; errors of the connection.
    func open(_ range: ByteRange, reporting progress: Progress?) async throws -> FileContentStream {
        let connection = connection
        let download = ResumingDownload(path: path, policy: connection.retryPolicy, clock: connection.clock) { fields in
            try await send(fields)
        } refusal: { reply in
            try await connection.refusal(reply, about: path).mapped()
        } listedSize: {
            state.source.withLock { $0?.item?.size }
        }
        let stream = try await download.open(range, reporting: progress)
        return verified(stream, range)
    }

    // MARK: Requests

    private func send(_ fields: HTTPFields) async throws -> HTTPReply {
        var fields = fields
        // The host of the content has tags of its own; whether the file is the same, its description tells.
        fields[.ifRange] = nil
        let known = state.source.withLock { $0 }
        var source: Source
        if let listed = state.listed.withLock({ $0.take() }) {
            source = listed
        } else if let known {
            source = try await mappingRefusals { try await resolve() }
            guard source.item?.contentTag == known.item?.contentTag else { throw PreconditionFailedError(path: path) }
        } else {
            source = try await mappingRefusals { try await resolve() }
        }
        state.source.withLock { $0 = source }
        var reply = try await fetch(source, fields)
        if [401, 403, 404, 410].contains(reply.status.code) {
            // It may have expired between the two requests.
            await reply.body.drain()
            source = try await mappingRefusals { try await resolve() }
            state.source.withLock { $0 = source }
            reply = try await fetch(source, fields)
        }
        guard reply.status.kind == .successful || reply.status.code == 416 else { return reply }
        reply.head.headerFields[.eTag] = "\"\(source.item?.contentTag ?? path.string.hexadecimalBytes)\""
        reply.head.headerFields[.lastModified] = nil
        return reply
    }

    private func fetch(_ source: Source, _ fields: HTTPFields) async throws -> HTTPReply {
        let request = try connection.request(following: source.url, fields: fields)
        return try await connection.send(request, about: path, isSigned: false)
    }

    /// Asks for the file's description, and a URL that gives its content.
    private func resolve() async throws -> Source {
        if let revision = OneDriveRevision(path) {
            let place = try await provider.place(of: revision.file)
            let route = "/versions/\(GraphAddress.encoded(revision.version))/content"
            return Source(url: try await location(place.address.route(route)))
        }
        let (item, place) = try await provider.graphFile(at: path, members: nil)
        switch item.kind {
        case .directory: throw CocoaError.isAFolder(path)
        case .other, .symlink: throw OneDriveFileProvider.isAPackage(path)
        case .file: break
        }
        let file = try provider.fileObject(item, at: path, foreignDriveID: place.foreignDriveID)
        if let url = item.downloadURL, !provider.options.overridesAntivirus {
            return Source(item: item, file: file, url: url)
        }
        let query = provider.options.overridesAntivirus ? [("AVOverride", "1")] : []
        return Source(item: item, file: file, url: try await location(place.address.route("/content", query)))
    }

    /// Asks where a content is.
    private func location(_ route: String) async throws -> String {
        let request = try connection.request(.get, route)
        let answer = try await connection.answer(to: request, about: path) { $0.kind == .redirection }
        guard let location = answer.head.headerFields[.location] else {
            throw URLError.answer(
                .cannotParseResponse,
                about: path,
                description: "the service does not say where the content is"
            )
        }
        return location
    }

    // MARK: Verifying

    private func verified(_ stream: FileContentStream, _ range: ByteRange) -> FileContentStream {
        guard let source = state.source.withLock({ $0 }), let file = source.file else { return stream }
        var facts = FileContentFacts(file: file, range: range)
        facts.range = stream.facts.range ?? facts.range
        facts.contentType = file.contentType ?? stream.facts.contentType
        let isWhole = facts.range.map { $0.lowerBound == 0 && Int64($0.count) == file.size } ?? false
        guard isWhole, let sums = file.extras[.checksums], let kind = OneDriveContentHash.kind(among: sums),
            let expected = sums[kind]
        else { return stream.with(facts) }
        let hash = OneDriveContentHash(kind)
        return stream.with(facts) { [path] chunk in
            if let chunk {
                hash.pass(chunk)
            } else if !hash.kind.isSame(hash.finish(), expected) {
                throw URLError.otherContent(about: path, description: "what arrived is not what the service has")
            }
        }
    }
}

extension GraphItem {
    /// A text that is another one for another content, of characters that a field can have.
    fileprivate var contentTag: String { (cTag ?? eTag ?? id).hexadecimalBytes }
}

extension String {
    fileprivate var hexadecimalBytes: String { utf8.reduce(into: "") { $0 += String($1, radix: 16) } }
}
