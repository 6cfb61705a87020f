import FerryCore
import FerryHTTP
import Foundation

/// The drive that an account is used for.
public enum OneDriveDrive: Sendable, Hashable {
    /// The drive of whoever is logged in.
    case me
    /// A drive by its identifier.
    case id(String)
    /// The drive of another user, by identifier or by the name with which that user logs in.
    case user(String)
    /// The library of a SharePoint site: its address (`https://contoso.sharepoint.com/sites/team`), `hostname:/path`, or
    /// its identifier.
    case site(String)
}

extension OneDriveDrive {
    /// Returns the path that asks the API for a site.
    ///
    /// - Parameter text: The site's address, `hostname:/path`, or identifier.
    /// - Returns: The path behind the version, percent-encoded; `nil` for a text that can't be a site.
    static func sitePath(_ text: String) -> String? {
        var host = text
        var path = ""
        if let url = URL(string: text), url.scheme?.lowercased() == "https" {
            guard let name = url.host(percentEncoded: false) else { return nil }
            (host, path) = (name, url.path(percentEncoded: false))
        } else if let colon = text.firstIndex(of: ":") {
            (host, path) = (String(text[..<colon]), String(text[text.index(after: colon)...]))
            while path.hasSuffix(":") { path.removeLast() }
        }
        let names = path.split(separator: "/").map { GraphAddress.encoded(String($0)) }
        guard !host.isEmpty, !host.contains("/"), !host.contains(":") else { return nil }
        // An identifier is a host and two numbers, with commas between them.
        let site = "/sites/" + GraphAddress.encoded(host, besides: ",")
        return names.isEmpty ? site : "\(site):/\(names.joined(separator: "/"))"
    }
}

/// The sort of a drive, on which names, hashes and some abilities depend.
public enum OneDriveDriveType: Sendable, Hashable {
    /// A drive of a Microsoft account.
    case personal
    /// A person's drive in an organization.
    case business
    /// A library of a SharePoint site.
    case documentLibrary
    /// A sort that is not known here.
    case other(String)

    /// Reads the API's word.
    ///
    /// - Parameter text: The value of `driveType`.
    init(_ text: String) {
        switch text.lowercased() {
        case "personal": self = .personal
        case "business": self = .business
        case "documentlibrary": self = .documentLibrary
        default: self = .other(text)
        }
    }
}
