import FerryHTTP
package import HTTPTypes

/// The methods that WebDAV adds to HTTP.
extension HTTPRequest.Method {
    /// Lists, and tells properties (RFC 4918 §9.1).
    package static let propfind = known("PROPFIND")
    /// Sets and removes properties (RFC 4918 §9.2).
    package static let proppatch = known("PROPPATCH")
    /// Makes a folder (RFC 4918 §9.3).
    package static let mkcol = known("MKCOL")
    /// Copies on the server (RFC 4918 §9.8).
    package static let copy = known("COPY")
    /// Moves on the server (RFC 4918 §9.9).
    package static let move = known("MOVE")
    /// Locks, and refreshes a lock (RFC 4918 §9.10).
    package static let lock = known("LOCK")
    /// Ends a lock (RFC 4918 §9.11).
    package static let unlock = known("UNLOCK")
    /// Asks for a report (RFC 3253 §3.6).
    package static let report = known("REPORT")
    /// Searches (RFC 5323 §2).
    package static let search = known("SEARCH")
}
