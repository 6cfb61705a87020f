package import FerryHTTP
import Foundation

/// The properties that a request asks for, and the document that asks (RFC 4918 §14.20).
///
/// Servers are never asked for "all" properties: what that is, each decides for itself, and some compute much for it.
package struct WebDAVPropertyRequest: Sendable {
    /// The properties that are asked for.
    package let names: [WebDAVPropertyName]

    /// The document, to be sent as `application/xml`.
    package let body: HTTPRequestBody

    /// Makes a request.
    ///
    /// - Parameter names: The properties to ask for; their names must be ones that XML allows.
    package init(_ names: [WebDAVPropertyName]) {
        self.names = names
        self.body = HTTPRequestBody(
            #"<?xml version="1.0" encoding="utf-8"?><d:propfind xmlns:d="DAV:">"# + Self.prop(names) + "</d:propfind>"
        )
    }

    /// The properties that lists need of each item.
    ///
    /// The media type is not among it: most servers make it of the name, as we can, and Apache asks itself a whole
    /// question for each, which made a list of 10,000 items take three times as long (0.25 s instead of 0.08 s).
    package static let item: [WebDAVPropertyName] = [
        "resourcetype", "getcontentlength", "getlastmodified", "creationdate", "getetag",
    ].map { WebDAVPropertyName($0) }

    /// An element `prop` that names properties, in a document where `d` is `DAV:`.
    ///
    /// - Parameter names: The properties.
    /// - Returns: XML.
    package static func prop(_ names: [WebDAVPropertyName]) -> String {
        var prefixes: [String: String] = [WebDAVPropertyName.dav: "d"]
        var declarations = ""
        var elements = ""
        for name in names {
            if prefixes[name.namespace] == nil {
                let prefix = "n\(prefixes.count)"
                prefixes[name.namespace] = prefix
                declarations += " xmlns:\(prefix)=\"\(name.namespace.xmlEscaped)\""
            }
            elements += "<\(prefixes[name.namespace] ?? "d"):\(name.name)/>"
        }
        return "<d:prop\(declarations)>\(elements)</d:prop>"
    }
}

extension String {
    /// The text as it can stand in an XML document, between tags and in double quotes.
    ///
    /// Control characters, which XML has no way to write, are left out.
    package var xmlEscaped: String {
        var escaped = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "\t", "\n", "\r": escaped.append(contentsOf: "&#\(scalar.value);".unicodeScalars)
            case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
