public import FerryHTTP
import Foundation
public import HTTPTypes
import NIOCore
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Carries requests with Foundation's `URLSession`, for apps on Apple's systems: so that they get the system's proxies,
/// VPNs and radios.
///
/// Where it keeps the rules of ``/FerryHTTP/HTTPTransport`` less well than ``/FerryHTTP/NIOTransport``:
/// - There is no back-pressure on an answer: what the reader hasn't taken yet is held in memory. So it is not for large
///   downloads that are read slowly.
/// - A body of more than 1 MiB, or of unknown length, is written to a temporary file first (readable by us only), and
///   then sent from there, with its length; so memory is bounded. An answer that comes early ends nothing.
/// - Own authorities, client certificates, proxies and the limit of a head can't be set: the system's hold.
/// - It can't tell whether a connection was used before, and so never throws ``/FerryHTTP/StaleConnectionError``.
/// - It asks for no packed answers; where the request does, the answer comes unpacked, and its fields say so no more.
///
/// On Linux, where Foundation builds it on libcurl, use it for tests at most: it sends a request again by itself when a
/// connection that was used before is closed, and it ends the whole process when an answer breaks off within its head,
/// or has fields behind its last chunk (swift-corelibs-foundation, "there's no response").
public final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let delegate: URLSessionTransportDelegate
    private let slots: ConnectionSlots
    private let (idleTimeout, workTimeout): (Duration, Duration)

    /// Makes a transport; connections are made as they are needed.
    ///
    /// - Parameter configuration: Time-outs and limits.
    /// - Throws: `CocoaError.featureUnsupported` if it has a setting that `URLSession` lacks.
    public init(_ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration()) throws {
        guard configuration.trust == .system, configuration.clientCertificate == nil, configuration.proxy == nil,
            configuration.proxyRules == nil
        else {
            let reason = "URLSession takes no authorities, certificates and proxies of ours"
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSLocalizedDescriptionKey: reason + ".", NSLocalizedFailureReasonErrorKey: reason,
                ]
            )
        }
        let settings = URLSessionConfiguration.ephemeral
        settings.httpMaximumConnectionsPerHost = max(1, configuration.maximumConnectionsPerHost)
        settings.timeoutIntervalForRequest = configuration.idleTimeout / .seconds(1)
        settings.requestCachePolicy = .reloadIgnoringLocalCacheData
        settings.urlCache = nil
        settings.httpCookieStorage = nil
        settings.httpShouldSetCookies = false
        settings.urlCredentialStorage = nil
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        delegate = URLSessionTransportDelegate()
        session = URLSession(configuration: settings, delegate: delegate, delegateQueue: queue)
        slots = ConnectionSlots(limit: max(1, configuration.maximumConnectionsPerHost))
        (idleTimeout, workTimeout) = (configuration.idleTimeout, configuration.workTimeout)
    }

    deinit {
        delegate.close { session.finishTasksAndInvalidate() }
    }

    /// Sends a request, and waits for the head of its answer.
    ///
    /// - Parameters:
    ///   - request: Method, URL and fields.
    ///   - body: The body to send with it.
    /// - Returns: The answer.
    /// - Throws: See ``/FerryHTTP/HTTPTransport``.
    public func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let origin = "\(request.scheme ?? "http")://\(request.authority ?? "")"
        guard let url = URL(string: origin + (request.path ?? "/")) else {
            throw URLError.answer(.badURL, description: "the request has no valid URL")
        }
        let slot = try await slots.acquire(origin)
        var sent = URLRequest(url: url)
        sent.httpMethod = request.method.rawValue
        let makesWork = HTTPTransportConfiguration.makesWork(request.method, bodyLength: body.map(\.length) ?? 0)
        sent.timeoutInterval = (makesWork ? workTimeout : idleTimeout) / .seconds(1)
        for field in request.headerFields { sent.addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        // Unless it is told otherwise, it asks for gzip, and unpacks what comes.
        if request.headerFields[.acceptEncoding] == nil {
            sent.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let stored = try await StoredBody(body)
        let exchange = URLSessionExchange(stored: stored, slot: slot)
        let session = session
        let request = sent
        try delegate.start(exchange) {
            switch stored {
            case .none: session.dataTask(with: request)
            case .data(let data): session.uploadTask(with: request, from: data)
            case .file(let file): session.uploadTask(with: request, fromFile: file.url)
            }
        }
        let head = try await exchange.head()
        return HTTPReply(head: head, body: HTTPReplyBody(exchange.chunks()))
    }

    /// Ends all requests that are under way, and closes all connections.
    public func shutdown() async {
        slots.close()
        delegate.close { session.invalidateAndCancel() }
    }
}
