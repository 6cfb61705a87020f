import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

/// Reads what a multistatus says of one item, as it arrives.
struct WebDAVItemReader {
    private let path: ItemPath
    private let parser: MultistatusParser
    private var items: WebDAVItems
    private var found: MultistatusEntry?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - provider: The provider that asked.
    ///   - head: The answer's head.
    ///   - path: The item.
    ///   - names: The properties that were asked for, beside those that every item has.
    /// - Throws: `URLError.cannotParseResponse` for an item that has no path on a server.
    init(
        _ provider: any WebDAVProvider,
        _ head: HTTPResponse,
        path: ItemPath,
        _ names: [WebDAVPropertyName]
    ) throws {
        self.path = path
        parser = try MultistatusParser(others: names)
        items = try WebDAVItems(provider, head, folder: path)
    }

    /// Reads on.
    ///
    /// - Parameter chunk: The next bytes.
    /// - Throws: `URLError.cannotParseResponse`.
    mutating func read(_ chunk: ByteBuffer) throws {
        try parser.parse(chunk)
        for entry in parser.takeEntries() {
            if case .itself(let entry) = try items.meaning(of: entry), found == nil { found = entry }
        }
    }

    /// Ends the answer, and makes an item of it.
    ///
    /// - Returns: The item, and all that the server told of it.
    /// - Throws: `URLError.cannotParseResponse` for an answer that breaks off, or says nothing of the item; what the server
    ///   says of the item.
    func finish() throws -> (item: FileObject, properties: WebDAVProperties) {
        try parser.finish()
        guard let found else {
            throw URLError.answer(.cannotParseResponse, description: "the server says nothing about the item")
        }
        if let status = found.status, !(200...299).contains(status) {
            throw HTTPServerError(.init(code: status), path: path, serverDescription: found.description).mapped()
        }
        return (try items.item(found, at: path), found.properties)
    }
}
