import Foundation
import HTTPTypes

/// Digest, whose nonces are good for a few requests; the user is `alice`, and no proof is worked out.
extension OddWebDAVServer {
    static func loginRefusal(_ request: Request, _ state: inout State) -> LoopbackAnswer? {
        guard let uses = state.oddities.nonceUses else { return nil }
        let shown = request["Authorization"] ?? ""
        if shown.contains("username=\"alice\""), let nonce = nonce(in: shown), let used = state.nonces[nonce] {
            state.nonces[nonce] = used + 1
            if used < uses { return nil }
        }
        let isSpent = !shown.isEmpty && shown.contains("username=\"alice\"")
        state.nonceCount += 1
        let nonce = "nonce\(state.nonceCount)"
        state.nonces[nonce] = 0
        let stale = isSpent && state.oddities.saysStale ? ", stale=true" : ""
        return LoopbackAnswer(
            .unauthorized,
            fields: [.wwwAuthenticate: "Digest realm=\"odd\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=MD5\(stale)"]
        )
    }

    private static func nonce(in authorization: String) -> String? {
        guard let start = authorization.range(of: "nonce=\"") else { return nil }
        return String(authorization[start.upperBound...].prefix { $0 != "\"" })
    }
}
