import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore

/// Reads the items of one folder, in pages, as the server's answer arrives.
actor WebDAVListing {
    /// Items that make a page; the last has fewer.
    private static let pageSize = 500

    private let provider: any WebDAVProvider
    private let path: ItemPath
    private let depth: WebDAVConnection.Depth

    private var body: HTTPReplyBody.AsyncIterator?
    private var parser: MultistatusParser?
    private var items: WebDAVItems?
    private var page: [FileObject] = []
    private var hasEntries = false
    private var hasShown = false
    private var isAtEnd = false
    private var attempt = 1
    /// What a search found need not have the folder itself in it.
    private var isSearch = false

    /// Makes a reader; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - provider: Who asks.
    ///   - path: The folder.
    ///   - depth: Whether to list what is in the folders below, too.
    init(_ provider: any WebDAVProvider, path: ItemPath, depth: WebDAVConnection.Depth = .members) {
        self.provider = provider
        self.path = path
        self.depth = depth
    }

    /// Makes a reader of what a search in a folder, and all below it, has found.
    ///
    /// - Parameters:
    ///   - provider: Who asked.
    ///   - path: The folder.
    ///   - reply: The answer.
    /// - Throws: `URLError.cannotParseResponse` for a folder that has no path on a server.
    init(_ provider: any WebDAVProvider, path: ItemPath, found reply: HTTPReply) throws {
        self.provider = provider
        self.path = path
        self.depth = .all
        self.isSearch = true
        self.parser = try MultistatusParser(others: provider.additionalProperties)
        self.items = try WebDAVItems(provider, reply.head, folder: path, isDeep: true)
        self.body = reply.body.makeAsyncIterator()
    }

    /// The next page.
    ///
    /// - Returns: At least one item, but for an empty folder; `nil` after the last.
    /// - Throws: As ``FileProviderBasic/directoryListing(path:)``.
    func next() async throws -> [FileObject]? {
        if !isAtEnd, parser == nil { try await ask() }
        while !isAtEnd, page.count < Self.pageSize {
            do {
                try await read()
            } catch let error as URLError where error.code == .cannotParseResponse {
                guard mayAskAgain else { throw error }
                try await ask()
            }
        }
        guard !page.isEmpty || !hasShown else { return nil }
        hasShown = true
        var shown: [FileObject] = []
        swap(&shown, &page)
        return shown
    }

    /// Whether the list may only have broken off since something has changed meanwhile: of another, what came already is
    /// left out.
    private var mayAskAgain: Bool {
        guard !isSearch, attempt < 4, WebDAVTraits(provider.connection.facts).breaksListings else { return false }
        attempt += 1
        return true
    }

    private func ask() async throws {
        let request = WebDAVPropertyRequest(WebDAVPropertyRequest.item + provider.additionalProperties)
        let reply = try await provider.connection.propfind(path, isFolder: true, depth: depth, request)
        guard reply.status.code == 207 else { throw await error(of: reply) }
        parser = try MultistatusParser(others: provider.additionalProperties)
        if items == nil { items = try WebDAVItems(provider, reply.head, folder: path, isDeep: depth == .all) }
        body = reply.body.makeAsyncIterator()
    }

    private func read() async throws {
        guard var body, let parser else { return }
        let chunk = try await body.next()
        self.body = body
        if let chunk {
            try parser.parse(chunk)
            try add(parser.takeEntries())
        } else {
            try parser.finish()
            try add(parser.takeEntries())
            guard hasEntries || isSearch else {
                throw URLError.answer(.cannotParseResponse, description: "the server lists not even the folder")
            }
            isAtEnd = true
            self.body = nil
            self.parser = nil
        }
    }

    private func add(_ entries: [MultistatusEntry]) throws {
        hasEntries = hasEntries || !entries.isEmpty
        for entry in entries {
            switch try items?.meaning(of: entry) {
            case .item(let item): page.append(item)
            case .itself(let entry): try check(entry)
            case .nothing, nil: break
            }
        }
    }

    /// What the server says of the folder itself can be that there is no list, or only half of one.
    private func check(_ entry: MultistatusEntry) throws {
        if let status = entry.status, !(200...299).contains(status) {
            // RFC 6578 §3.6 and RFC 5323 §2.3.1: what came before is not all.
            if status == 507 {
                throw URLError.answer(.cannotParseResponse, description: "the server lists only a part of the folder")
            }
            throw HTTPServerError(.init(code: status), path: path, serverDescription: entry.description).mapped()
        }
        if entry.properties.isCollection == false { throw CocoaError.notAFolder(path) }
    }

    private func error(of reply: HTTPReply) async -> any Error {
        if reply.status.kind == .successful { return provider.connection.oddAnswer(reply, path: path) }
        let error = await provider.connection.readingError(of: reply, path: path)
        // Asked for a file with a slash at its end, servers see nothing there, or refuse.
        guard !path.isRoot, reply.status.kind != .serverError, reply.status != .unauthorized else { return error }
        do {
            let item = try await provider.itemAttributes(path: path)
            return item.isDirectory ? Self.unlistable(error, path: path) : CocoaError.notAFolder(path)
        } catch is CancellationError {
            return CancellationError()
        } catch {
            return error
        }
    }

    /// A folder that is there can't be called missing.
    private static func unlistable(_ error: any Error, path: ItemPath) -> any Error {
        guard (error as? CocoaError)?.code == .fileNoSuchFile else { return error }
        return CocoaError.file(.fileReadUnknown, path: path, underlying: error)
    }
}
