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
    private var trail: WebDAVPageTrail?
    /// Path and query of the page that is being read, if that is not the first.
    private var pageTarget: String?
    private var pageCount = 0
    /// The search request; `nil` for a listing.
    private let search: HTTPFileRequest?

    /// Makes a reader; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - provider: The provider that asks.
    ///   - path: The folder.
    ///   - depth: The depth: the items in the folder, or those in the folders below, too.
    init(_ provider: any WebDAVProvider, path: ItemPath, depth: WebDAVConnection.Depth = .members) {
        self.provider = provider
        self.path = path
        self.depth = depth
        self.search = nil
    }

    /// Makes a reader of what a search in a folder, and all below it, has found.
    ///
    /// - Parameters:
    ///   - provider: The provider that asked.
    ///   - path: The folder.
    ///   - request: The request of the search, repeated for further pages.
    ///   - reply: The answer.
    /// - Throws: `URLError.cannotParseResponse` for a folder that has no path on a server.
    init(_ provider: any WebDAVProvider, path: ItemPath, asked request: HTTPFileRequest, found reply: HTTPReply) throws
    {
        self.provider = provider
        self.path = path
        self.depth = .all
        self.search = request
        self.reader = try WebDAVFolderReader(provider, reply.head, path: path, isDeep: true, isSearch: true)
        self.body = reply.body.makeAsyncIterator()
        trail = WebDAVPageTrail(provider.connection.origin, target: request.head.path ?? "/")
        trail?.note(reply.head)
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

    /// Indicates whether the list may only have broken off since something has changed meanwhile: of another, what came
    /// already is left out.
    private var mayAskAgain: Bool {
        guard search == nil, attempt < 4, provider.connection.knownTraits.breaksListings else { return false }
        attempt += 1
        return true
    }

    /// Asks for the first page, or for the one that is at its turn.
    private func ask() async throws {
        let connection = provider.connection
        var request = try await request()
        if let pageTarget { request.head.path = pageTarget }
        let reply = try await connection.ask(request, about: path)
        guard reply.status.code == 207 else { throw await error(of: reply) }
        if reader == nil {
            reader = try WebDAVFolderReader(provider, reply.head, path: path, isDeep: depth == .all)
        } else {
            try reader?.beginAnew()
        }
        if trail == nil { trail = WebDAVPageTrail(connection.origin, target: request.head.path ?? "/") }
        trail?.note(reply.head)
        pageCount = 0
        body = reply.body.makeAsyncIterator()
    }

    private func request() async throws -> HTTPFileRequest {
        if let search { return search }
        return switch depth {
        case .item, .members: try await provider.listingRequest(path: path, page: nil)
        case .all:
            try provider.connection.propfindRequest(path, isFolder: true, depth: depth, provider.itemProperties)
        }
    }

    private func read() async throws {
        guard var body else { return }
        let chunk = try await body.next()
        self.body = body
        let before = reader?.count ?? 0
        if let chunk {
            try reader?.read(chunk)
            pageCount += (reader?.count ?? 0) - before
            return
        }
        try reader?.finish()
        pageCount += (reader?.count ?? 0) - before
        self.body = nil
        let hosts = provider.connection.facts.otherHosts
        if let next = try trail?.advance(isEmpty: pageCount == 0, hosts: hosts) {
            pageTarget = next
            try await ask()
        } else {
            isAtEnd = true
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
