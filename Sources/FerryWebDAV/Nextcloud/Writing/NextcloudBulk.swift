import FerryCore
import FerryCrypto
import Foundation
import NIOCore

/// Many small files in one body (`multipart/related`), as Nextcloud's bulk upload wants them.
///
/// See <https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/bulkupload.html>.
struct NextcloudBulk: Sendable {
    let boundary: String
    let body: ByteBuffer

    /// Makes a body.
    ///
    /// - Parameters:
    ///   - files: The files to send; their paths as the server knows them.
    ///   - boundary: A text that no file's content has in it.
    init(_ files: [(path: String, file: BulkFile)], boundary: String = "ferry-\(UUID().uuidString.lowercased())") {
        var body = ByteBuffer()
        for (path, file) in files {
            body.writeString("--\(boundary)\r\n")
            body.writeString("Content-Length: \(file.contents.count)\r\n")
            body.writeString("X-File-Path: \(path)\r\n")
            body.writeString("X-File-MD5: \(HashAlgorithm.md5.hash(file.contents).hexadecimal)\r\n")
            if let seconds = file.modifiedDate.flatMap(WebDAVConnection.modifiedTime) {
                body.writeString("X-File-Mtime: \(seconds)\r\n")
            }
            body.writeString("\r\n")
            body.writeBytes(file.contents)
            body.writeString("\r\n")
        }
        body.writeString("--\(boundary)--\r\n")
        self.boundary = boundary
        self.body = body
    }

    /// Returns whether a path can stand in a line of its own, with white space around it removed.
    ///
    /// - Parameter path: The path as the server knows it.
    /// - Returns: `false` for one that the server would read as another.
    static func canName(_ path: String) -> Bool {
        guard let last = path.unicodeScalars.last else { return false }
        return !path.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } && last.value > 0x20
            && !last.properties.isWhitespace
    }
}
