import FerryHTTP
import FerryTestServers
import FerryURLSession
import Foundation
import HTTPTypes
import NIOCore
import Testing

/// The transports, all of which must keep the same rules.
enum TransportKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case nio = "NIO"
    case urlSession = "URLSession"

    /// Indicates whether it lives through an answer that breaks off within its head, and reports it instead of asking
    /// again.
    ///
    /// Linux's URLSession ends the process.
    var survivesCutHeads: Bool { self != .urlSession }

    var testDescription: String { rawValue }

    func make(_ configuration: HTTPTransportConfiguration) throws -> any HTTPTransport {
        switch self {
        case .nio: try NIOTransport(configuration)
        case .urlSession: try URLSessionTransport(configuration)
        }
    }
}

/// Makes a transport for as long as the test needs it.
func withTransport<Result>(
    _ kind: TransportKind = .nio,
    _ configuration: HTTPTransportConfiguration = .patient,
    _ body: (any HTTPTransport) async throws -> Result
) async throws -> Result {
    let transport = try kind.make(configuration)
    do {
        let result = try await body(transport)
        await transport.shutdown()
        return result
    } catch {
        await transport.shutdown()
        throw error
    }
}

extension HTTPTransportConfiguration {
    /// A configuration for tests that are not about time-outs: a slow machine meets none, and resting connections stay.
    static var patient: HTTPTransportConfiguration {
        var configuration = HTTPTransportConfiguration()
        (configuration.connectTimeout, configuration.idleTimeout) = (.seconds(300), .seconds(300))
        configuration.keepAlive = .seconds(3_600)
        return configuration
    }
}

extension HTTPTransport {
    /// Sends a request to a server of a test.
    func send(
        _ method: HTTPRequest.Method = .get,
        _ url: URL,
        _ path: String = "/",
        fields: HTTPFields = HTTPFields(),
        body: HTTPRequestBody? = nil
    ) async throws -> HTTPReply {
        try await send(#require(HTTPOrigin(url)).request(method, path, fields), body: body)
    }

    /// Sends a request, and reads the answer.
    func text(
        _ method: HTTPRequest.Method = .get,
        _ url: URL,
        _ path: String = "/",
        body: HTTPRequestBody? = nil
    ) async throws -> String {
        let reply = try await send(method, url, path, body: body)
        return String(decoding: try await reply.body.collect(upTo: 1 << 20), as: UTF8.self)
    }
}

/// Returns what went wrong; `nil` if nothing did.
func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}

/// The code of the `URLError` that was thrown, also if it came from a connection that was used before.
func failureCode(_ body: () async throws -> Void) async -> URLError.Code? {
    switch await failure(body) {
    case let error as URLError: error.code
    case let error as StaleConnectionError: error.lost.code
    default: nil
    }
}
