import Foundation
public import HTTPTypes

/// As much of WebDAV as it takes to list one folder, `/dav/`, with one file in it, `a.txt`.
public enum SmallDAV {
    /// The answer to a request.
    ///
    /// - Parameter request: The request's head.
    /// - Returns: A multistatus for `PROPFIND`, 404 for other paths, 405 for other methods.
    public static func answer(to request: HTTPRequest) -> LoopbackAnswer {
        guard request.method.rawValue == "PROPFIND" else { return LoopbackAnswer(.methodNotAllowed) }
        let depth = HTTPField.Name("Depth").flatMap { request.headerFields[$0] }
        let responses: String
        switch request.path {
        case "/dav/", "/dav": responses = folder + (depth == "1" ? file : "")
        case "/dav/a.txt": responses = file
        default: return LoopbackAnswer(.notFound)
        }
        return LoopbackAnswer(
            .init(code: 207),
            fields: [.contentType: "application/xml"],
            text: #"<?xml version="1.0"?><multistatus xmlns="DAV:">\#(responses)</multistatus>"#
        )
    }

    private static let folder = response("/dav/", "<resourcetype><collection/></resourcetype>")
    private static let file = response("/dav/a.txt", "<resourcetype/><getcontentlength>5</getcontentlength>")

    private static func response(_ path: String, _ properties: String) -> String {
        """
        <response><href>\(path)</href><propstat><prop>\(properties)</prop><status>HTTP/1.1 200 OK</status></propstat>\
        </response>
        """
    }
}
