public import FerryCore
public import FerryHTTP
public import Foundation
import HTTPTypes

extension NextcloudFileProvider {
    /// Finds out what kind of server answers at a URL, and makes the provider that suits it.
    ///
    /// The server is asked what it can do; what its URL looks like says nothing.
    ///
    /// - Parameters:
    ///   - url: The server, the user's files there, or a folder in them, by any of their URLs.
    ///   - credential: The user's account there, with the secret; the user's name or mail address.
    ///   - transport: The transport that carries the requests; the provider ends it.
    ///   - environment: Queues, delegates and logger.
    ///   - uploadsFolder: The folder in which uploads that are under way are remembered, so that a later process can go
    ///     on with them; `nil` to remember them as long as the provider lives.
    /// - Returns: A ``NextcloudFileProvider`` for Nextcloud and ownCloud, else a ``WebDAVFileProvider``.
    /// - Throws: `URLError.unsupportedURL`; `URLError.userAuthenticationRequired`; errors of the connection.
    public static func open(
        _ url: URL,
        credential: FileProviderCredential?,
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment(),
        uploadsFolder: URL? = nil
    ) async throws -> any WebDAVProvider {
        guard let place = NextcloudPlace(url) else {
            throw URLError.answer(
                .unsupportedURL,
                description: "not the URL of a folder on a web server",
                url: url.withoutUserInfo
            )
        }
        let session = session(place, credential, .automatic, transport, environment)
        let api = OCSClient(session: session, origin: place.origin, prefix: place.prefix)
        guard let facts = try await facts(api) else {
            return try WebDAVFileProvider(
                baseURL: url,
                credential: credential,
                transport: transport,
                environment: environment
            )
        }
        return try NextcloudFileProvider(
            place: place,
            userID: try await user(api).id,
            facts: facts,
            credential: credential,
            session: session,
            environment: environment,
            uploads: uploadSessionStore(in: uploadsFolder)
        )
    }

    /// Returns what the server says of itself; `nil` if it doesn't know the question.
    private static func facts(_ api: OCSClient) async throws -> NextcloudServerFacts? {
        do {
            let data = try await api.call(.get, "cloud/capabilities")
            guard !data["capabilities"].members.isEmpty else { return nil }
            return NextcloudServerFacts(data)
        } catch {
            if let answer = error.serverAnswer {
                // In trouble, or locked: that says nothing about what kind of server it is.
                if answer.statusCode == 401 || answer.statusCode == 429 || answer.statusCode >= 500 { throw error }
                return nil
            }
            if let error = error as? URLError, error.code == .cannotParseResponse { return nil }
            throw error
        }
    }

    private static func session(
        _ place: NextcloudPlace,
        _ credential: FileProviderCredential?,
        _ scheme: PasswordScheme,
        _ transport: any HTTPTransport,
        _ environment: FileProviderEnvironment
    ) -> HTTPSession {
        HTTPSession(
            transport: transport,
            origins: [place.origin],
            // At once: without a login the server answers, too, but tells less.
            authenticator: credential.flatMap {
                PasswordAuthenticator.authenticator(for: $0, scheme: scheme == .automatic ? .basic : scheme)
            },
            // With a session of its own the server need not work out the password for each request.
            cookies: CookieJar(origin: place.origin),
            logger: environment.logger
        )
    }
}

// MARK: - Written down

extension NextcloudFileProvider: RestorableFileProvider {
    /// The option for the identifier of the user.
    static let userKey = "userID"

    /// The option for the facts about the server.
    static let serverKey = "server"

    /// Server, user, whom to trust, and what is known of the server.
    public var configuration: ProviderConfiguration {
        var configuration = ProviderConfiguration(
            type: Self.type,
            baseURL: baseURL,
            user: credential?.user,
            options: options.dictionary
        )
        configuration.options[Self.userKey] = userID
        // The same facts are the same text in every process. Facts that can't be written are asked for again.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        configuration.options[Self.serverKey] = (try? encoder.encode(facts)).map { String(decoding: $0, as: UTF8.self) }
        return configuration
    }

    /// Makes a provider; the server is asked only if nothing is known of it.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another. Its options can be those of
    ///     ``WebDAVFileProvider``, too.
    ///   - credentials: Where its secret is.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue`; what the store throws; errors of the connection.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) async throws {
        try await self.init(
            configuration: configuration,
            credentials: credentials,
            environment: environment,
            uploadsFolder: nil
        )
    }

    /// Makes a provider that goes on with the uploads of earlier processes.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another. Its options can be those of
    ///     ``WebDAVFileProvider``, too.
    ///   - credentials: Where its secret is.
    ///   - environment: Queues, delegates and logger.
    ///   - uploadsFolder: The folder in which uploads that are under way are remembered; it is made when it is needed.
    ///     `nil` to remember them as long as the provider lives.
    /// - Throws: `CocoaError.coderInvalidValue`; what the store throws; errors of the connection.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment,
        uploadsFolder: URL?
    ) async throws {
        guard configuration.type == Self.type, let url = configuration.baseURL, let place = NextcloudPlace(url) else {
            throw CocoaError(.coderInvalidValue)
        }
        let known = try await credentials.credential(for: configuration.account)
        let credential = FileProviderCredential(user: configuration.user ?? known?.user, secret: known?.secret)
        let options = WebDAVOptions(configuration.options)
        let transport = try options.http.makeTransport(environment.waits)
        let session = Self.session(place, credential, options.scheme, transport, environment)
        let api = OCSClient(session: session, origin: place.origin, prefix: place.prefix)
        do {
            // First of all: other servers know no users that could be asked about.
            let facts = try await Self.facts(configuration, api)
            try self.init(
                place: place,
                userID: try await Self.userID(configuration, api),
                facts: facts,
                credential: credential,
                options: options,
                session: session,
                environment: environment,
                uploads: uploadSessionStore(in: uploadsFolder)
            )
        } catch {
            await session.invalidate()
            throw error
        }
    }

    private static func userID(_ configuration: ProviderConfiguration, _ api: OCSClient) async throws -> String {
        if let known = configuration.options[Self.userKey] { return known }
        return try await user(api).id
    }

    private static func facts(
        _ configuration: ProviderConfiguration,
        _ api: OCSClient
    ) async throws -> NextcloudServerFacts {
        let told = configuration.options[Self.serverKey].flatMap {
            try? JSONDecoder().decode(NextcloudServerFacts.self, from: Data($0.utf8))
        }
        if let told { return told }
        guard let answer = try await facts(api) else { throw CocoaError(.coderInvalidValue) }
        return answer
    }
}
