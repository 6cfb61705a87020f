import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import NIOCore

/// Does something in a folder of its own on a real server, which has been asked what it is.
func withRealStage<Result>(
    _ kind: RealServerKind,
    _ login: RealServerEndpoint.Login = .basic,
    isSecure: Bool = false,
    discovering: Bool = true,
    perform body: (RealStage) async throws -> Result
) async throws -> Result {
    let way = RealServerWay(kind: kind, login: login, isSecure: isSecure)
    let server = try await RealServer.shared(kind)
    guard let endpoint = server.endpoint(login, isSecure: isSecure) else { throw RealServerWay.Missing(way: way) }
    let stage = try await RealStage(server, endpoint)
    do {
        if discovering { try await stage.provider.discover() }
        stage.recording.forget()
        let result = try await body(stage)
        await stage.cleanUp()
        return result
    } catch {
        await stage.cleanUp()
        throw error
    }
}

/// The code of the `CocoaError` that something throws; `nil` if it throws none.
func cocoaCode(of body: () async throws -> some Any) async -> CocoaError.Code? {
    do {
        _ = try await body()
        return nil
    } catch {
        return (error as? CocoaError)?.code
    }
}

extension RealStage {
    /// The requests so far, as `METHOD path`, the paths seen from the place.
    var lines: [String] { recording.exchanges.map { $0.line(below: proxy.url(like: place.url)) } }

    /// Returns what the server answers to a plain request: the status, the fields and the body.
    func ask(
        _ method: String,
        _ path: String,
        fields: [String: String] = [:],
        body: String? = nil
    ) async throws -> (status: Int, fields: HTTPFields, body: Data) {
        let origin = place.url
        var request = HTTPRequest(
            method: HTTPRequest.Method(method) ?? .get,
            scheme: origin.scheme,
            authority: "\(origin.host() ?? ""):\(origin.port ?? 0)",
            path: origin.path(percentEncoded: true) + path
        )
        let login = Data("\(server.user):\(server.password)".utf8).base64EncodedString()
        request.headerFields[.authorization] = "Basic \(login)"
        for (name, value) in fields {
            if let name = HTTPField.Name(name) { request.headerFields[name] = value }
        }
        let transport = NIOTransport()
        do {
            let reply = try await transport.send(request, body: body.map { HTTPRequestBody($0) })
            var bytes = Data()
            for try await chunk in reply.body { bytes.append(contentsOf: chunk.readableBytesView) }
            await transport.shutdown()
            return (reply.status.code, reply.head.headerFields, bytes)
        } catch {
            await transport.shutdown()
            throw error
        }
    }
}
