import Foundation

/// A cookie as a server has set it (RFC 6265 §4.1, §5.2).
struct Cookie: Sendable, Hashable {
    let name: String
    let value: String
    /// Without the leading dot; `nil` for this host only.
    let domain: String?
    /// As given; `nil` for the request's folder.
    let path: String?
    /// When it ends; `nil` with the session.
    let expires: Date?
    let isSecure: Bool

    /// Reads a `Set-Cookie` field; `nil` for one without a name.
    ///
    /// - Parameters:
    ///   - field: The field's value.
    ///   - now: The time, for `Max-Age`.
    init?(_ field: String, now: Date) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        name = pair[..<equals].trimmingCharacters(in: .whitespaces)
        value = pair[pair.index(after: equals)...].trimmingCharacters(in: .whitespaces)
        guard !name.isEmpty else { return nil }
        var domain: String?
        var path: String?
        var end: Date?
        var maximumAge: Date?
        var isSecure = false
        for part in parts.dropFirst() {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
            switch words[0].trimmingCharacters(in: .whitespaces).lowercased() {
            case "domain" where !text.isEmpty:
                domain = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
            case "path": path = text.hasPrefix("/") ? text : nil
            case "expires": end = HTTPDate.parse(text)
            case "max-age":
                if let seconds = Int64(text) {
                    maximumAge = seconds <= 0 ? .distantPast : now.addingTimeInterval(TimeInterval(seconds))
                }
            case "secure": isSecure = true
            default: continue
            }
        }
        self.domain = domain
        self.path = path
        self.expires = maximumAge ?? end
        self.isSecure = isSecure
    }

    /// Returns whether a host may set it (RFC 6265 §5.3 and, for prefixes of names, RFC 6265bis §4.1.3).
    func isAcceptable(from origin: HTTPOrigin) -> Bool {
        let isSafe = origin.scheme == "https"
        if isSecure && !isSafe { return false }
        if let domain {
            let host = origin.host
            guard host == domain || (host.hasSuffix("." + domain) && domain.contains(".") && !origin.isIPAddress)
            else { return false }
        }
        let lowercasedName = name.lowercased()
        if lowercasedName.hasPrefix("__host-") { return isSecure && isSafe && domain == nil && path == "/" }
        if lowercasedName.hasPrefix("__secure-") { return isSecure && isSafe }
        return true
    }
}
