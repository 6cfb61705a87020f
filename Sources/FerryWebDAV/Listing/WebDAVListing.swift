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
    private var reader: WebDAVFolderReader?
    private var hasShown = false
    private var isAtEnd = false
    private var attempt = 1
    /// What a search found can't be asked for again.
    private let isSearch: Bool

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
        self.isSearch = false
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
        self.reader = try WebDAVFolderReader(provider, reply.head, path: path, isDeep: true, isSearch: true)
        self.body = reply.body.makeAsyncIterator()
    }

    /// The next page.
    ///
    /// - Returns: At least one item, but for an empty folder; `nil` after the last.
    /// - Throws: As ``FileProviderBasic/directoryListing(path:)``.
    func next() async throws -> [FileObject]? {
        if !isAtEnd, reader == nil { try await ask() }
        while !isAtEnd, (reader?.count ?? 0) < Self.pageSize {
            do {
                try await read()
            } catch let error as URLError where error.code == .cannotParseResponse {
                guard mayAskAgain else { throw error }
                try await ask()
            }
        }
        let page = reader?.takeItems() ?? []
        guard !page.isEmpty || !hasShown else { return nil }
        hasShown = true
        return page
    }

    /// Whether the list may only have broken off since something has changed meanwhile: of another, what came already is
    /// left out.
    private var mayAskAgain: Bool {
        guard !isSearch, attempt < 4, provider.connection.knownTraits.breaksListings else { return false }
        attempt += 1
        return true
    }

    private func ask() async throws {
        let connection = provider.connection
        let reply =
            switch depth {
            case .item, .members:
                try await connection.ask(try await provider.listingRequest(path: path, page: nil), about: path)
            case .all:
                try await connection.propfind(path, isFolder: true, depth: depth, provider.itemProperties)
            }
        guard reply.status.code == 207 else { throw await error(of: reply) }
        if reader == nil {
            reader = try WebDAVFolderReader(provider, reply.head, path: path, isDeep: depth == .all)
        } else {
            try reader?.beginAnew()
        }
        body = reply.body.makeAsyncIterator()
    }

    private func read() async throws {
        guard var body else { return }
        let chunk = try await body.next()
        self.body = body
        if let chunk {
            try reader?.read(chunk)
        } else {
            try reader?.finish()
            isAtEnd = true
            self.body = nil
        }
    }

    private func error(of reply: HTTPReply) async -> any Error {
        if reply.status.kind == .successful { return provider.connection.oddAnswer(reply.head) }
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
