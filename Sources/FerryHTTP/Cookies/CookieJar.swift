public import Foundation
public import HTTPTypes
import Synchronization

/// The cookies of one login at one origin, as long as the process lives.
///
/// It keeps all that the server sets, or none: Nextcloud takes requests without cookies, and such with all of them, but
/// answers 412 to those with a part. So where one can't be kept, the jar empties itself and stays empty.
///
/// Cookies never go to another origin, not to another port either.
public final class CookieJar: Sendable {
    private struct Key: Hashable {
        let name: String
        let domain: String?
        let path: String
    }

    private struct State {
        var cookies: [Key: Cookie] = [:]
        var isUsed = true
    }

    /// RFC 6265 §6.1: a user agent should keep at least 50 for each domain, of 4096 bytes each.
    private static let mostCookies = 50
    private static let longestCookie = 4_096

    private let origin: HTTPOrigin
    private let state = Mutex(State())

    /// Makes an empty jar.
    ///
    /// - Parameter origin: The origin whose cookies it keeps.
    public init(origin: HTTPOrigin) {
        self.origin = origin
    }

    /// Adds the cookies that belong to a request (RFC 6265 §5.4).
    ///
    /// - Parameters:
    ///   - request: The request; one to another origin stays as it is.
    ///   - now: The time.
    public func add(to request: inout HTTPRequest, now: Date) {
        guard origin == HTTPOrigin(request) else { return }
        let path = request.path.map { String($0.prefix { $0 != "?" }) } ?? "/"
        let fitting = state.withLock { state in
            state.cookies = state.cookies.filter { $0.value.expires.map { $0 > now } ?? true }
            return state.cookies.filter { Self.path($0.key.path, covers: path) }
        }
        guard !fitting.isEmpty else { return }
        // Longer paths first, as the RFC wants it; then by name, so that the order never changes.
        let sorted = fitting.sorted {
            ($1.key.path.utf8.count, $0.key.name) < ($0.key.path.utf8.count, $1.key.name)
        }
        let text = sorted.map { "\($0.value.name)=\($0.value.value)" }.joined(separator: "; ")
        // As one field (RFC 6265 §5.4), not one for each cookie, as a value that is set by name becomes: of several, PHP
        // behind nginx gets the last, which Nextcloud answers with 412.
        request.headerFields[fields: .cookie] = [HTTPField(name: .cookie, value: text)]
    }

    /// Keeps what an answer sets (RFC 6265 §5.3).
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - request: The request that was answered; an answer of another origin is not looked at.
    ///   - now: The time.
    public func keep(from response: HTTPResponse, to request: HTTPRequest, now: Date) {
        let fields = response.headerFields[values: .setCookie]
        guard !fields.isEmpty, origin == HTTPOrigin(request) else { return }
        let folder = Self.defaultPath(request.path ?? "/")
        state.withLock { state in
            guard state.isUsed else { return }
            for field in fields {
                guard field.utf8.count <= Self.longestCookie, let cookie = Cookie(field, now: now),
                    cookie.isAcceptable(from: origin)
                else {
                    state.isUsed = false
                    break
                }
                let key = Key(name: cookie.name, domain: cookie.domain, path: cookie.path ?? folder)
                let isOver = cookie.expires.map { $0 <= now } ?? false
                state.cookies[key] = isOver ? nil : cookie
            }
            if state.cookies.count > Self.mostCookies { state.isUsed = false }
            if !state.isUsed { state.cookies = [:] }
        }
    }

    /// Forgets all cookies: the login has changed.
    public func removeAll() {
        state.withLock { $0.cookies = [:] }
    }

    private static func path(_ path: String, covers target: String) -> Bool {
        path == target || target.hasPrefix(path.hasSuffix("/") ? path : path + "/")
    }

    private static func defaultPath(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }
}
