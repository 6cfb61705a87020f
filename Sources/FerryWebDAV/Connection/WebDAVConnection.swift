package import FerryCore
package import FerryHTTP
package import Foundation
package import HTTPTypes
import Synchronization

/// The means by which a provider talks to one WebDAV server: a session, the base folder, and what was learnt about
/// the server on the way.
///
/// All of WebDAV is written against it, so that ``WebDAVFileProvider`` and ``NextcloudFileProvider`` share it.
public final class WebDAVConnection: Sendable {
    /// Sends the requests.
    package let session: HTTPSession

    /// The folder that is the provider's root; its path ends in `/`.
    package let baseURL: URL

    /// Whom we talk to.
    package let origin: HTTPOrigin

    /// The base folder's path, percent-encoded as the user gave it, without the `/` at its end.
    package let basePath: String

    /// Queues, delegates and logger.
    package let environment: FileProviderEnvironment

    /// The clock to wait on before something is tried again.
    package let clock: any Clock<Duration>

    /// The time of day.
    package let now: @Sendable () -> Date

    /// The locks that we hold there.
    package let locks = WebDAVLockTable()

    /// The turns of those that give a file its new content.
    let turns = WebDAVTurns()

    private let learnt = Mutex(Learnt())

    private struct Learnt {
        var facts = WebDAVServerFacts()
        /// The conclusions from the facts, once somebody has asked.
        var conclusions: Conclusions?
    }

    private struct Conclusions {
        let traits: WebDAVTraits
        let capabilities: FileProviderCapabilities

        init(_ facts: WebDAVServerFacts) {
            traits = WebDAVTraits(facts)
            var capabilities = traits.capabilities(isKnown: facts.complianceClasses != nil, hasLocks: facts.hasLocks)
            capabilities.isReadOnly = facts.refusesWriting
            self.capabilities = capabilities
        }
    }

    /// Makes a connection; nothing is sent.
    ///
    /// - Parameters:
    ///   - baseURL: The folder that is the provider's root, of `http` or `https`; user and password in it are dropped.
    ///   - session: Sends the requests.
    ///   - environment: Queues, delegates and logger.
    ///   - clock: The clock to wait on before something is tried again.
    ///   - now: The time of day.
    /// - Throws: `URLError.unsupportedURL` for anything but a URL of a folder on a web server.
    package init(
        baseURL: URL,
        session: HTTPSession,
        environment: FileProviderEnvironment,
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        let url = baseURL.withoutUserInfo
        guard let origin = HTTPOrigin(url), let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            parts.query == nil, parts.fragment == nil
        else {
            throw URLError.answer(.unsupportedURL, description: "not the URL of a folder on a web server", url: url)
        }
        var path = parts.percentEncodedPath
        while path.hasSuffix("/") { path.removeLast() }
        self.origin = origin
        self.basePath = path
        self.baseURL = parts.percentEncodedPath.hasSuffix("/") ? url : url.appendingPathComponent("", isDirectory: true)
        self.session = session
        self.environment = environment
        self.clock = clock
        self.now = now
        learn { $0.host = origin.host }
    }

    /// The facts learnt about the server so far.
    package var facts: WebDAVServerFacts {
        learnt.withLock { $0.facts }
    }

    /// The server's behaviour, as far as it is known, or its kind is.
    package var knownTraits: WebDAVTraits { conclusions.traits }

    /// The server's abilities, as far as they are known.
    package var capabilities: FileProviderCapabilities { conclusions.capabilities }

    /// It is asked for several times for each file, and changes hardly ever.
    private var conclusions: Conclusions {
        learnt.withLock { learnt in
            if let conclusions = learnt.conclusions { return conclusions }
            let conclusions = Conclusions(learnt.facts)
            learnt.conclusions = conclusions
            return conclusions
        }
    }

    /// Learns something about the server.
    ///
    /// - Parameter change: Changes what is known; called under a lock.
    package func learn(_ change: (inout WebDAVServerFacts) -> Void) {
        learnt.withLock { learnt in
            change(&learnt.facts)
            learnt.conclusions = nil
        }
    }

    /// The path of an item in a request's URL, percent-encoded.
    ///
    /// Servers want a `/` at the end of every folder's URL, and only there (nginx answers 409 or 400 otherwise).
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    /// - Returns: Begins with `/`.
    package func target(_ path: ItemPath, isFolder: Bool) -> String {
        path.isRoot ? basePath + "/" : basePath + path.percentEncoded + (isFolder ? "/" : "")
    }

    /// Sends a request about an item.
    ///
    /// - Parameters:
    ///   - method: The request's method.
    ///   - path: The item.
    ///   - isFolder: `true` if it is a folder.
    ///   - fields: The request's fields.
    ///   - body: The body to send with it.
    ///   - isIdempotent: `true` if it can be repeated; `nil` to judge by the method.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection; for a path that no request can name, `CocoaError.fileNoSuchFile`;
    ///   `CancellationError`.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: ItemPath,
        isFolder: Bool = false,
        fields: HTTPFields = HTTPFields(),
        body: HTTPRequestBody? = nil,
        isIdempotent: Bool? = nil
    ) async throws -> HTTPReply {
        let head = origin.request(method, target(path, isFolder: isFolder), fields)
        return try await send(HTTPFileRequest(head, body: body, isIdempotent: isIdempotent), about: path)
    }

    /// Sends a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - path: The item in its URL.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection; for a path that no request can name, `CocoaError.fileNoSuchFile`.
    package func send(_ request: HTTPFileRequest, about path: ItemPath) async throws -> HTTPReply {
        // A request that is sent can't be called back.
        try Task.checkCancellation()
        try requireName(path)
        let reply = try await session.send(
            request.head,
            body: request.body,
            options: HTTPRequestOptions(path: path, isIdempotent: request.isIdempotent)
        )
        note(reply.head)
        return reply
    }

    /// Throws for a path that no URL can hold, so that no server has it: a name with a slash would lead elsewhere.
    private func requireName(_ path: ItemPath) throws {
        if path.beginsWithIdentifier { throw CocoaError.unsupported("addressing by identifier", path: path) }
        for name in path.components where WebDAVTraits.problem(withBytes: NameEscape.bytes(ofName: name)) != nil {
            throw CocoaError.noSuchItem(path)
        }
    }
}
