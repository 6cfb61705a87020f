public import FerryCore
public import FerryHTTP
public import Foundation
import HTTPTypes

/// A login in the browser (Nextcloud's login flow, version 2): the user says yes there, and a password for this program
/// alone comes here.
///
/// ```swift
/// let login = try await NextcloudLogin.begin(server: URL(string: "https://cloud.example")!)
/// print("open \(login.loginURL)")
/// while true {
///     if let granted = try await login.poll() { break }
///     try await Task.sleep(for: .seconds(2))
/// }
/// ```
///
/// See <https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/index.html>.
public struct NextcloudLogin: Sendable {
    /// The result of a login that the user has granted.
    public struct Granted: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
        /// The server, at the address where we reach it.
        public let server: URL
        /// The account there, with an app password.
        public let credential: FileProviderCredential

        /// The server and the user, without the secret.
        public var description: String { "\(credential) at \(server.absoluteString)" }

        /// The server and the user, without the secret.
        public var debugDescription: String { description }
    }

    /// The page to open in a browser.
    public let loginURL: URL

    private let place: NextcloudPlace
    private let session: HTTPSession
    private let pollTarget: String
    private let token: String

    /// Asks a server for a login.
    ///
    /// - Parameters:
    ///   - server: Any URL of the server.
    ///   - transport: The transport that carries the requests.
    ///   - environment: Where to log.
    /// - Returns: The login, for which the server waits twenty minutes.
    /// - Throws: `URLError.unsupportedURL`; `CocoaError.featureUnsupported` for a server without this kind of login;
    ///   errors of the connection.
    public static func begin(
        server: URL,
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) async throws -> NextcloudLogin {
        guard let place = NextcloudPlace(server) else {
            throw URLError.answer(.unsupportedURL, description: "not the URL of a server", url: server.withoutUserInfo)
        }
        let session = HTTPSession(transport: transport, logger: environment.logger)
        let request = place.origin.request(.post, place.prefix + "/index.php/login/v2", [.userAgent: "Ferry"])
        let reply = try await session.send(request, body: HTTPRequestBody(""), options: HTTPRequestOptions())
        let data = try await reply.body.collect(upTo: 64 << 10)
        if reply.status.kind != .successful {
            let answer = HTTPServerError(reply, path: .root, body: data)
            guard [404, 405, 501].contains(answer.statusCode) else { throw answer.mapped() }
            throw CocoaError.unsupported("logging in with a browser", path: .root)
        }
        guard let answer = try? JSONDecoder().decode(OCSValue.self, from: data),
            let login = answer["login"].text.flatMap(place.published),
            let endpoint = answer["poll"]["endpoint"].text.flatMap(place.reachable),
            let token = answer["poll"]["token"].text
        else { throw CocoaError.unsupported("logging in with a browser", path: .root) }
        return NextcloudLogin(
            loginURL: login,
            place: place,
            session: session,
            pollTarget: endpoint.path(percentEncoded: true),
            token: token
        )
    }

    /// Asks whether the user has said yes.
    ///
    /// - Returns: The server and the credential, told once; `nil` as long as the user hasn't.
    /// - Throws: Errors of the connection.
    public func poll() async throws -> Granted? {
        let fields: HTTPFields = [.contentType: "application/x-www-form-urlencoded", .userAgent: "Ferry"]
        let request = place.origin.request(.post, pollTarget, fields)
        let body = HTTPRequestBody(OCSClient.encoded([("token", token)]))
        let reply = try await session.send(request, body: body, options: HTTPRequestOptions(isIdempotent: false))
        let data = try await reply.body.collect(upTo: 64 << 10)
        if reply.status == .notFound { return nil }
        guard reply.status.kind == .successful else {
            throw HTTPServerError(reply, path: .root, body: data).mapped()
        }
        guard let answer = try? JSONDecoder().decode(OCSValue.self, from: data),
            let user = answer["loginName"].text, let password = answer["appPassword"].text,
            let server = URL(string: place.origin.url(place.prefix + "/"))
        else {
            throw URLError.answer(.cannotParseResponse, description: "the server granted the login in other words")
        }
        return Granted(server: server, credential: FileProviderCredential(user: user, secret: .password(password)))
    }

    /// Closes the connections.
    public func end() async {
        await session.invalidate()
    }
}
