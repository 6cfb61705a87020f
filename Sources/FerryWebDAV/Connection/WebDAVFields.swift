import Foundation
package import HTTPTypes

/// The fields that WebDAV adds to HTTP.
extension HTTPField.Name {
    /// Compliance classes (RFC 4918 §10.1).
    package static let dav = davField("DAV")
    /// Where a copy or move goes (RFC 4918 §10.3).
    package static let destination = davField("Destination")
    /// Whether a copy or move may replace something (RFC 4918 §10.6).
    package static let overwrite = davField("Overwrite")
    /// How deep a request goes (RFC 4918 §10.2).
    package static let depth = davField("Depth")
    /// Conditions on locks and eTags (RFC 4918 §10.4).
    package static let condition = davField("If")
    /// The token of a lock (RFC 4918 §10.5).
    package static let lockToken = davField("Lock-Token")
    /// How long a lock is to hold (RFC 4918 §10.7).
    package static let timeout = davField("Timeout")
    /// The date to give a file, in seconds since 1970: ownCloud's, which others have taken over.
    package static let modifiedTime = davField("X-OC-MTime")

    private static func davField(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("not a field: \(name)") }
        return name
    }
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
