import FerryHTTP
import Foundation
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

/// The fields that WebDAV adds to HTTP.
extension HTTPField.Name {
    /// Compliance classes (RFC 4918 §10.1).
    package static let dav = known("DAV")
    /// The target of a copy or move (RFC 4918 §10.3).
    package static let destination = known("Destination")
    /// Indicates whether a copy or move may replace something (RFC 4918 §10.6).
    package static let overwrite = known("Overwrite")
    /// The depth of a request (RFC 4918 §10.2).
    package static let depth = known("Depth")
    /// Conditions on locks and eTags (RFC 4918 §10.4).
    package static let condition = known("If")
    /// The token of a lock (RFC 4918 §10.5).
    package static let lockToken = known("Lock-Token")
    /// The time that a lock is to hold (RFC 4918 §10.7).
    package static let timeout = known("Timeout")
    /// The date to give a file, in seconds since 1970: ownCloud's, which others have taken over.
    package static let modifiedTime = known("X-OC-MTime")
}

extension HTTPFields {
    /// The members of a list, from all fields of the name together (RFC 9110 §5.6.1).
    ///
    /// - Parameter name: The fields' name.
    /// - Returns: The members, without white space around them.
    package func list(_ name: HTTPField.Name) -> [String] {
        self[values: name]
            .flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
