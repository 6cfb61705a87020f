package import FerryCore
import Foundation
import NIOCore

extension FTPFileProvider: FileProviderWholeReading {
    /// Reads all of a small file: one transfer, and its size as the server tells it.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: Bytes at most.
    /// - Returns: The file; `nil` if it is longer.
    /// - Throws: As ``contentStream(path:range:reporting:)``; also for a line that broke.
    package func wholeFile(path: ItemPath, upTo limit: Int) async throws -> WholeFile? {
        try await call(path) { session in
            if path.isRoot { throw CocoaError.isAFolder(path) }
            let place = try session.server.path(of: path)
            var contents = ByteBuffer()
            do {
                let reply = try session.retrieve(place) { bytes in
                    guard contents.readableBytes + bytes.count <= limit else { return false }
                    contents.writeBytes(bytes)
                    return true
                }
                // The transfer was given up; the connection with it.
                guard session.isUsable else { return nil }
                var facts = FileContentFacts()
                // 226 alone is no proof: a server may say the size when it begins, else it is asked.
                facts.size = reply.flatMap(FTPSession.announcedSize)
                if facts.size == nil {
                    let size = try session.command("SIZE", place)
                    if size.isSuccess { facts.size = Int64(size.lastText) }
                }
                if let size = facts.size, size != Int64(contents.readableBytes) {
                    throw URLError.wrongLength(expected: size, received: Int64(contents.readableBytes))
                }
                facts.range = facts.size.map { 0..<$0 }
                return WholeFile(facts: facts, contents: contents)
            } catch let failure as FTPFailure {
                throw try session.explained(failure, reading: path)
            }
        }
    }
}

extension FTPSession {
    /// The size that some servers tell when a transfer begins: `150 Opening data connection for file (4096 bytes)`.
    static func announcedSize(_ reply: FTPReply) -> Int64? {
        let text = reply.text
        // The last one: a name may have such words in it.
        guard let end = text.range(of: " bytes)", options: .backwards),
            let start = text[..<end.lowerBound].lastIndex(of: "(")
        else {
            return nil
        }
        return Int64(text[text.index(after: start)..<end.lowerBound])
    }
}
