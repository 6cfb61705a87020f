import FerryCore
import FerryHTTP
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes

extension LoopbackAnswer {
    /// A multistatus of these entries.
    static func multistatus(_ entries: String...) -> LoopbackAnswer {
        LoopbackAnswer(HTTPResponse.Status(code: 207), text: MultistatusText.multistatus(entries.joined()))
    }
}

extension WebDAVFileProvider {
    /// The files of a server in this process, below `/dav/`.
    convenience init(_ server: LoopbackServer) throws {
        try self.init(baseURL: server.url.appending(path: "dav/"), credential: nil)
    }
}
