import Foundation
import HTTPTypes

/// The known facts about how a server wants a password proved; changed by its answers.
struct PasswordState: Sendable {
    private enum Proof {
        /// Nobody has said what is wanted.
        case unknown
        /// The server has answered without asking.
        case unneeded
        case basic
        case digest(DigestProof)
    }

    private let user: String
    private let password: String
    private let scheme: PasswordScheme
    /// The same for each request.
    private let basic: String
    private var proof: Proof = .unknown
    /// Indicates whether the server has taken a digest of ours: then a new nonce is no verdict about the password.
    private var wasAccepted = false
    /// When the server gave the nonce, or last took it.
    private var confirmed: ContinuousClock.Instant?

    /// When the current nonce came, and how many such nonces, one after the other, ran out at once.
    private var nonceStart: ContinuousClock.Instant?
    private var quickEnds = 0
    /// Nonces that nothing was sent with yet, where each is good for a request or two.
    private var unused: [DigestChallenge] = []

    /// More than requests that are under way at the same time.
    private static let mostUnused = 64

    /// Servers let a nonce live for minutes; one that was good so lately is taken to be good still.
    private static let trust = Duration.seconds(20)

    init(user: String, password: String, scheme: PasswordScheme) {
        self.user = user
        self.password = password
        self.scheme = scheme
        basic = "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        if scheme == .basic { proof = .basic }
    }

    /// Returns whether a request would carry what the server wants, as far as is known.
    func isReady(for request: HTTPRequest) -> Bool {
        if case .unknown = proof { isBasicAtOnce(for: request) } else { true }
    }

    /// Indicates whether the server takes each nonce for a few requests only: two in a row ran out within seconds.
    var spendsNonces: Bool { quickEnds > 1 }

    /// Returns whether the proof that comes next has hardly had time to run out.
    func isSure(at now: ContinuousClock.Instant) -> Bool {
        guard case .digest = proof else { return true }
        if spendsNonces { return !unused.isEmpty }
        return confirmed.map { now - $0 < Self.trust } ?? false
    }

    /// The proof for a request, if one is known.
    mutating func authorization(for request: HTTPRequest) -> String? {
        switch proof {
        case .unneeded: return nil
        case .unknown: return isBasicAtOnce(for: request) ? basic : nil
        case .basic: return basic
        case .digest(var digest):
            if spendsNonces, !unused.isEmpty { digest.use(unused.removeFirst()) }
            let text = digest.authorization(method: request.method, target: request.path ?? "/")
            proof = .digest(digest)
            return text
        }
    }

    /// Looks at a refusal.
    ///
    /// - Parameters:
    ///   - challenges: The challenges of the server.
    ///   - sent: The `Authorization` that was refused.
    ///   - now: The time.
    ///   - makeNonce: Makes a nonce that nobody can guess.
    /// - Returns: `true` if there is something better now.
    mutating func renew(
        after challenges: [AuthenticationChallenge],
        of sent: String?,
        at now: ContinuousClock.Instant,
        makeNonce: () -> String
    ) -> Bool {
        if scheme != .basic, let wanted = DigestChallenge.best(of: challenges) {
            return answer(wanted, sent: sent, at: now, makeNonce: makeNonce)
        }
        guard scheme != .digest, challenges.contains(where: { $0.scheme == "basic" }) else { return false }
        // A server that has taken digests and now wants the password itself is not to be trusted with it.
        if case .digest = proof { return false }
        proof = .basic
        return sent != basic
    }

    /// Looks at an answer that is no refusal.
    ///
    /// - Parameters:
    ///   - info: The parameters of its `Authentication-Info`.
    ///   - sent: The `Authorization` that was sent.
    ///   - now: The time.
    /// - Returns: `true` if the server knows the password too, as far as it was to prove it.
    mutating func note(_ info: [String: String], of sent: String?, at now: ContinuousClock.Instant) -> Bool {
        switch proof {
        case .unknown:
            proof = sent == nil ? .unneeded : .basic
            return true
        case .digest(var digest):
            let parameters = Self.parameters(of: sent)
            let next = info["nextnonce"].flatMap { $0.isEmpty ? nil : $0 }
            if spendsNonces, let next { keep(digest.challenge.with(nonce: next)) }
            guard parameters["nonce"] == digest.challenge.nonce else { return true }
            guard digest.isGenuine(info, for: parameters) else { return false }
            wasAccepted = true
            confirmed = now
            if !spendsNonces, let next {
                digest.use(digest.challenge.with(nonce: next))
                nonceStart = now
                proof = .digest(digest)
            }
            return true
        case .basic, .unneeded: return true
        }
    }

    private mutating func answer(
        _ wanted: DigestChallenge,
        sent: String?,
        at now: ContinuousClock.Instant,
        makeNonce: () -> String
    ) -> Bool {
        if case .digest(let current) = proof, let sent {
            let nonce = Self.parameters(of: sent)["nonce"]
            if spendsNonces, let nonce, wanted.isStale || wanted.nonce != nonce {
                // A nonce that was refused at its first use is a verdict, unless the server says otherwise.
                let isFirst = current.isFirstUse && nonce == current.challenge.nonce
                if !wanted.isStale, isFirst, !wasAccepted { return false }
                keep(wanted)
                return true
            }
            // Another request has met the same refusal, and knows better by now.
            if let nonce, nonce != current.challenge.nonce { return true }
            let isVerdict = !wanted.isStale && !(wasAccepted && wanted.nonce != nonce)
            if nonce != nil, isVerdict { return false }
            wasAccepted = false
            let isQuick = current.isYoung && nonceStart.map { now - $0 < Self.trust } ?? false
            quickEnds = isQuick ? quickEnds + 1 : 0
        } else if case .digest = proof {
            // It was sent before anybody knew, where the answer that came first counts; or to get a nonce.
            if spendsNonces { keep(wanted) }
            return true
        }
        confirmed = now
        nonceStart = now
        proof = .digest(DigestProof(wanted, user: user, password: password, clientNonce: makeNonce()))
        if spendsNonces { keep(wanted) }
        return true
    }

    private mutating func keep(_ challenge: DigestChallenge) {
        if unused.contains(where: { $0.nonce == challenge.nonce }) { return }
        unused.append(challenge)
        if unused.count > Self.mostUnused { unused.removeFirst() }
    }

    private func isBasicAtOnce(for request: HTTPRequest) -> Bool {
        guard scheme == .automatic, let origin = HTTPOrigin(request) else { return scheme == .basic }
        return origin.scheme == "https" || origin.isLoopback
    }

    private static func parameters(of authorization: String?) -> [String: String] {
        guard let authorization else { return [:] }
        return AuthenticationChallenge.all(in: [.wwwAuthenticate: authorization]).first?.parameters ?? [:]
    }
}
