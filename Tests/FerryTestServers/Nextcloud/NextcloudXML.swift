import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// An element of a request's body.
struct NextcloudElement: Sendable {
    var namespace: String
    var name: String
    var text = ""
    var children: [NextcloudElement] = []

    /// `d:`, `oc:` or `nc:` and the name.
    var key: String {
        switch namespace {
        case "DAV:": "d:" + name
        case "http://owncloud.org/ns": "oc:" + name
        case "http://nextcloud.org/ns": "nc:" + name
        case "http://open-collaboration-services.org/ns": "ocs:" + name
        default: "{\(namespace)}" + name
        }
    }

    func first(_ key: String) -> NextcloudElement? { children.first { $0.key == key } }

    static func parse(_ data: Data) throws -> NextcloudElement? {
        if data.isEmpty { return nil }
        let reader = Reader()
        let parser = XMLParser(data: data)
        parser.shouldProcessNamespaces = true
        parser.delegate = reader
        guard parser.parse(), let root = reader.root else {
            throw NextcloudProblem(400, "Sabre\\DAV\\Exception\\BadRequest", "The request body is not valid XML")
        }
        return root
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var root: NextcloudElement?
        var open: [NextcloudElement] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            let local = name.split(separator: ":").last.map(String.init) ?? name
            open.append(NextcloudElement(namespace: namespaceURI ?? "", name: local))
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if !open.isEmpty { open[open.count - 1].text += text }
        }

        func parser(
            _ parser: XMLParser,
            didEndElement name: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            let element = open.removeLast()
            if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
        }
    }
}
