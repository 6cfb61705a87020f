import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

/// Reads the items of a folder from a multistatus, as it arrives.
struct WebDAVFolderReader {
    private let path: ItemPath
    private let isSearch: Bool
    private let names: [WebDAVPropertyName]
    private var parser: MultistatusParser
    private var items: WebDAVItems
    private var hasEntries = false
    /// Entries of a host that nobody knows, until the folder's own entry tells that it is the server's.
    private var waiting: [MultistatusEntry] = []
    private static let mostWaiting = 10_000
    private var found: [FileObject] = []

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - provider: The provider that asked.
    ///   - head: The answer's head.
    ///   - path: The folder.
    ///   - isDeep: `true` if items of the folders below are in it, too.
    ///   - isSearch: `true` if it is what a search found, which need not have the folder itself in it.
    /// - Throws: `URLError.cannotParseResponse` for a folder that has no path on a server.
    init(
        _ provider: any WebDAVProvider,
        _ head: HTTPResponse,
        path: ItemPath,
        isDeep: Bool = false,
        isSearch: Bool = false
    ) throws {
        self.path = path
        self.isSearch = isSearch
        names = provider.additionalProperties
        parser = try MultistatusParser(others: names)
        items = try WebDAVItems(provider, head, folder: path, isDeep: isDeep)
    }

    /// Reads another answer to the same question, after one that broke off; items that came already are left out.
    ///
    /// - Throws: `URLError.cannotParseResponse`.
    mutating func beginAnew() throws {
        parser = try MultistatusParser(others: names)
        waiting = []
    }

    /// How many items are there to be taken.
    var count: Int { found.count }

    /// Takes the items that are there so far.
    mutating func takeItems() -> [FileObject] {
        var taken: [FileObject] = []
        swap(&taken, &found)
        return taken
    }

    /// Reads on.
    ///
    /// - Parameter chunk: The next bytes.
    /// - Throws: `URLError.cannotParseResponse` for what is no list of the folder; what the server says of the folder.
    mutating func read(_ chunk: ByteBuffer) throws {
        try parser.parse(chunk)
        try add(parser.takeEntries())
    }

    /// Makes sure that nothing is missing.
    ///
    /// - Throws: `URLError.cannotParseResponse` for a list that ends early.
    mutating func finish() throws {
        try parser.finish()
        try add(parser.takeEntries())
        guard hasEntries || isSearch else {
            throw URLError.answer(.cannotParseResponse, description: "the server lists not even the folder")
        }
        // Nothing has told that they are the folder's: the first one says why they are refused.
        for entry in waiting { _ = try items.meaning(of: entry) }
    }

    private mutating func add(_ entries: [MultistatusEntry]) throws {
        hasEntries = hasEntries || !entries.isEmpty
        for entry in entries {
            if waiting.count < Self.mostWaiting, items.mustWait(entry) {
                waiting.append(entry)
                continue
            }
            switch try items.meaning(of: entry) {
            case .item(let item): found.append(item)
            case .itself(let entry):
                try check(entry)
                if !waiting.isEmpty {
                    let rest = waiting
                    waiting = []
                    try add(rest)
                }
            case .nothing: break
            }
        }
    }

    /// The server's entry about the folder itself can say that there is no list, or only half of one.
    private func check(_ entry: MultistatusEntry) throws {
        if let status = entry.status, !(200...299).contains(status) {
            // RFC 6578 §3.6 and RFC 5323 §2.3.1: what came before is not all.
            if status == 507 {
                throw WebDAVPageTrail.partial()
            }
            throw HTTPServerError(.init(code: status), path: path, serverDescription: entry.description).mapped()
        }
        if entry.properties.isCollection == false { throw CocoaError.notAFolder(path) }
    }
}
