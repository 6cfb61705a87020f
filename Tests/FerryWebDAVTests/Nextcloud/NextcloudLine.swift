import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Logging
import Synchronization

@testable import FerryWebDAV

/// Alice's files by way of a line that can fail, at a provider that tries again at once.
struct NextcloudLine {
    let server: NextcloudServer
    let proxy: FaultProxy
    let alice: NextcloudFileProvider

    /// Another provider on the same line, as after a start of the program.
    func anotherProvider(uploads: any UploadSessionStore = MemoryUploadSessionStore()) throws -> NextcloudFileProvider {
        try Self.provider(proxy.url(like: server.url), alice.facts, uploads)
    }

    /// A provider that asks nothing before it is used.
    static func provider(
        _ url: URL,
        _ facts: NextcloudServerFacts,
        _ uploads: any UploadSessionStore,
        _ configuration: HTTPTransportConfiguration = HTTPTransportConfiguration(),
        clock: any Clock<Duration> = HastyClock(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> NextcloudFileProvider {
        guard let place = NextcloudPlace(url) else { throw URLError(.badURL) }
        let credential = FileProviderCredential(user: "alice", secret: .password("secret"))
        let session = HTTPSession(
            transport: try NIOTransport(configuration),
            origins: [place.origin],
            authenticator: PasswordAuthenticator.authenticator(for: credential, scheme: .basic),
            cookies: CookieJar(origin: place.origin),
            logger: FileProviderEnvironment().logger,
            clock: HastyClock()
        )
        return try NextcloudFileProvider(
            place: place,
            userID: "alice",
            facts: facts,
            credential: credential,
            session: session,
            environment: FileProviderEnvironment(),
            uploads: uploads,
            clock: clock,
            now: now
        )
    }
}

/// A stand-in, a line to it, and alice's files there, for as long as a test needs them.
func withAliceOnALine<Result>(
    _ change: (inout NextcloudSettings) -> Void = { _ in },
    uploads: any UploadSessionStore = MemoryUploadSessionStore(),
    perform body: (NextcloudLine) async throws -> Result
) async throws -> Result {
    try await withAlice(change) { straight, server in
        try await withFaultProxy(to: server.url.port ?? 0) { proxy in
            let alice = try NextcloudLine.provider(proxy.url(like: server.url), straight.facts, uploads)
            do {
                let result = try await body(NextcloudLine(server: server, proxy: proxy, alice: alice))
                await alice.invalidate()
                return result
            } catch {
                await alice.invalidate()
                throw error
            }
        }
    }
}

/// A clock on which every wait is a thousandth of what it should be.
struct HastyClock: Clock {
    typealias Instant = ContinuousClock.Instant

    var now: Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await ContinuousClock().sleep(for: max(.zero, deadline - .now) / 1_000)
    }
}

/// A file of this machine, with bytes of which no two chunks are alike.
func withLocalFile<Result>(of size: Int, perform body: (URL, Data) async throws -> Result) async throws -> Result {
    // A length that no chunk is a multiple of.
    let pattern = Data((0..<65_521).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) })
    var content = Data(capacity: size + pattern.count)
    while content.count < size { content.append(pattern) }
    content = content.prefix(size)
    let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "big.bin")
    try content.write(to: file)
    return try await body(file, content)
}
