import FerryCrypto
import Foundation
import HTTPTypes
import Synchronization

/// Gives out the tokens of an ``OAuthServer``.
final class OAuthDesk: Sendable {
    private struct State {
        /// The challenge that a code was given for, and the URL that the browser was sent to.
        var codes: [String: (challenge: String, redirect: String)] = [:]
        var access: String?
        var refresh: String?
        var deviceQuestions = 0
        var grants: [String] = []
        var isRefusing = false
    }

    private let clientSecret: String?
    private let state = Mutex(State())

    init(clientSecret: String?) {
        self.clientSecret = clientSecret
    }

    var grants: [String] { state.withLock(\.grants) }

    var tokens: [String] { state.withLock { [$0.access, $0.refresh].compactMap { $0 } } }

    func endAccess() { state.withLock { $0.access = nil } }

    func refuseLogins() { state.withLock { $0.isRefusing = true } }

    func answer(to request: LoopbackRequest) -> LoopbackAnswer {
        let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        switch parts.first {
        case "/authorize": return authorize(Self.pairs(parts.last ?? ""))
        case "/device": return device(Self.pairs(request.text))
        case "/token":
            guard isKnown(request) else { return Self.json(["error": "invalid_client"], .unauthorized) }
            return token(Self.pairs(request.text))
        default:
            let access = state.withLock(\.access)
            guard let access, request["Authorization"] == "Bearer \(access)" else {
                return LoopbackAnswer(.unauthorized, fields: [.wwwAuthenticate: "Bearer"])
            }
            return SmallDAV.answer(to: request.head)
        }
    }

    private func isKnown(_ request: LoopbackRequest) -> Bool {
        guard let clientSecret else { return Self.pairs(request.text)["client_id"] == "ferry" }
        guard let field = request["Authorization"], field.hasPrefix("Basic "),
            let pair = Data(base64Encoded: String(field.dropFirst(6)))
        else { return false }
        // RFC 6749 §2.3.1: both are encoded as in a form.
        let parts = String(decoding: pair, as: UTF8.self).split(separator: ":").map { part in
            part.replacing("+", with: "%20").removingPercentEncoding
        }
        return parts == ["ferry", clientSecret]
    }

    private func authorize(_ form: [String: String]) -> LoopbackAnswer {
        guard form["response_type"] == "code", form["client_id"] == "ferry", form["code_challenge_method"] == "S256",
            let challenge = form["code_challenge"], let back = form["redirect_uri"], let stamp = form["state"],
            var url = URLComponents(string: back), url.host == "127.0.0.1"
        else { return LoopbackAnswer(.badRequest) }
        let code = UUID().uuidString
        let isRefusing = state.withLock { state in
            if !state.isRefusing { state.codes[code] = (challenge, back) }
            return state.isRefusing
        }
        let answer = isRefusing ? ("error", "access_denied") : ("code", code)
        url.queryItems = [URLQueryItem(name: answer.0, value: answer.1), URLQueryItem(name: "state", value: stamp)]
        return LoopbackAnswer(.found, fields: [.location: url.string ?? back])
    }

    private func device(_ form: [String: String]) -> LoopbackAnswer {
        Self.json([
            "device_code": "device", "user_code": "ABCD-EFGH", "verification_uri": "https://login.example/device",
            "expires_in": 600, "interval": 1,
        ])
    }

    private func token(_ form: [String: String]) -> LoopbackAnswer {
        let kind = form["grant_type"] ?? ""
        return state.withLock { state in
            switch kind {
            case "authorization_code":
                guard let (challenge, redirect) = state.codes.removeValue(forKey: form["code"] ?? ""),
                    redirect == form["redirect_uri"], challenge == Self.challenge(of: form["code_verifier"] ?? "")
                else { return Self.json(["error": "invalid_grant"], .badRequest) }
            case "refresh_token":
                guard let refresh = state.refresh, form["refresh_token"] == refresh else {
                    return Self.json(["error": "invalid_grant"], .badRequest)
                }
            case "urn:ietf:params:oauth:grant-type:device_code":
                if state.isRefusing { return Self.json(["error": "access_denied"], .badRequest) }
                // The person needs a while.
                state.deviceQuestions += 1
                guard state.deviceQuestions > 1, form["device_code"] == "device" else {
                    return Self.json(["error": "authorization_pending"], .badRequest)
                }
            default: return Self.json(["error": "unsupported_grant_type"], .badRequest)
            }
            let (access, refresh) = ("access-\(UUID().uuidString)", "refresh-\(UUID().uuidString)")
            (state.access, state.refresh) = (access, refresh)
            state.grants.append(kind)
            return Self.json([
                "access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": 3600,
            ])
        }
    }

    private static func challenge(of verifier: String) -> String {
        Data(HashAlgorithm.sha256.hash(Data(verifier.utf8))).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func pairs(_ text: String) -> [String: String] {
        var parts = URLComponents()
        parts.percentEncodedQuery = text.replacing("+", with: "%20")
        let items = (parts.queryItems ?? []).compactMap { item in item.value.map { (item.name, $0) } }
        return Dictionary(items) { _, last in last }
    }

    private static func json(_ values: [String: any Sendable], _ status: HTTPResponse.Status = .ok) -> LoopbackAnswer {
        // These are texts and numbers, which always can be written.
        let data = (try? JSONSerialization.data(withJSONObject: values)) ?? Data()
        return LoopbackAnswer(
            status,
            fields: [.contentType: "application/json"],
            text: String(decoding: data, as: UTF8.self)
        )
    }
}
