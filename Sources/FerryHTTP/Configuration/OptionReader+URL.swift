package import FerryCore
package import Foundation

extension OptionReader {
    /// Returns the URL of a server that gets tokens, or codes for them; `nil` if the option is not set.
    ///
    /// - Parameter key: The option.
    /// - Returns: A URL of HTTPS, or of this machine, without user and password.
    /// - Throws: `CocoaError.coderInvalidValue`, without the text: it may hold a secret.
    package func serverURL(_ key: String) throws -> URL? {
        guard let text = self[key] else { return nil }
        guard let url = URL(string: text), let origin = HTTPOrigin(url), origin.scheme == "https" || origin.isLoopback,
            url.user == nil, url.password == nil
        else { throw Self.wrong(key, "…", "a URL of https") }
        return url
    }
}
