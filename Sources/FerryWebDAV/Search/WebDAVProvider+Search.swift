public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// Searches on the server where it can (RFC 5323), else lists folder after folder, several at the same time.
    ///
    /// Items that the server finds are looked at again here; see ``searchPlan(for:)``.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        // One folder is listed as fast as it is searched.
        guard recursive else { return crawl(path: path, recursive: false, query: query) }
        return SearchResults(
            pages: DirectoryListing {
                let search = WebDAVSearch(self, path: path, query: query)
                return { try await search.next() }
            }
        )
    }

    /// Returns the part of a query that the server evaluates: comparisons of name, size, date, media type and kind,
    /// where it searches at all, as far as that is known.
    ///
    /// - Parameter query: The query.
    /// - Returns: The two parts.
    public func searchPlan(for query: FileQuery) -> FileQueryPlan {
        guard case .some(.some) = connection.facts.search else { return FileQueryPlan(query) { _ in false } }
        return WebDAVSearchRequest.plan(for: query)
    }
}

/// A search in a folder and all below it, page by page.
private actor WebDAVSearch {
    private let provider: any WebDAVProvider
    private let path: ItemPath
    private let query: FileQuery
    private var pages: SharedIterator<DirectoryListing.AsyncIterator>?

    init(_ provider: any WebDAVProvider, path: ItemPath, query: FileQuery) {
        self.provider = provider
        self.path = path
        self.query = query
    }

    func next() async throws -> [FileObject]? {
        if pages == nil, let answer = try await ask() { pages = SharedIterator(answer) }
        guard let pages else { return try await begin() }
        return try await pages.next()
    }

    /// Looks at everything here: at a listing of the whole tree where the server gives one, else folder by folder.
    private func begin() async throws -> [FileObject]? {
        if let listing = (provider as? any FileProviderTreeListing)?.treeListing(path: path) {
            let found = SharedIterator(listing.filtered(query.matches))
            do {
                let page = try await found.next()
                pages = found
                return page
            } catch let error as CancellationError {
                throw error
            } catch {
                // Refused, or there is no such folder: listing tells.
            }
        }
        let found = SharedIterator(provider.crawl(path: path, recursive: true, query: query).pages)
        pages = found
        return try await found.next()
    }

    /// Lets the server search; `nil` where it can't, or not for this.
    private func ask() async throws -> DirectoryListing? {
        let server = WebDAVSearchRequest.plan(for: query).server
        guard let support = try await provider.connection.searchSupport(),
            let document = WebDAVSearchRequest.document(
                server,
                scope: support.scope + (path.isRoot ? "" : path.percentEncoded),
                isRecursive: true,
                names: WebDAVPropertyRequest.item + provider.additionalProperties
            )
        else { return nil }
        try provider.connection.checkAddressable(path)
        let request = provider.connection.origin.request(
            .search,
            support.endpoint,
            [.contentType: "application/xml; charset=utf-8"]
        )
        let question = HTTPFileRequest(request, body: HTTPRequestBody(document), isIdempotent: true)
        let reply = try await provider.connection.send(question, about: path)
        switch reply.status.code {
        case 207:
            let listing = try WebDAVListing(provider, path: path, asked: question, found: reply)
            let query = query
            return DirectoryListing { { try await listing.next()?.filter(query.matches) } }
        case 400, 403, 404, 405, 415, 422, 501:
            // It can't search here, or not for that, or there is no such folder: listing tells.
            await reply.body.drain()
            return nil
        default: throw await provider.connection.readingError(of: reply, path: path)
        }
    }
}

extension WebDAVConnection {
    /// Returns the endpoint and the scope of the server's own search; asks it once, if nobody has.
    ///
    /// - Returns: `nil` if it doesn't.
    /// - Throws: Errors of the connection.
    package func searchSupport() async throws -> WebDAVSearchSupport? {
        if let known = facts.search { return known }
        let reply = try await send(.options, .root, isFolder: true)
        await reply.body.drain()
        noteSearch(in: reply.head)
        return facts.search ?? nil
    }

    /// Learns from an answer to `OPTIONS` whether the server searches by itself, unless that is known.
    ///
    /// - Parameter head: The answer.
    func noteSearch(in head: HTTPResponse) {
        // RFC 5323 §3.2: the grammars are URLs in angle brackets.
        let grammars = head.headerFields[values: .known("DASL")].joined(separator: ",")
        let isThere = head.status.kind == .successful && grammars.contains("<DAV:basicsearch>")
        let support = isThere ? WebDAVSearchSupport(endpoint: basePath + "/", scope: basePath) : nil
        learn { if $0.search == nil { $0.search = .some(support) } }
    }
}

/// The endpoint and the scope of a server's own search (RFC 5323).
package struct WebDAVSearchSupport: Sendable, Hashable {
    /// The path that takes `SEARCH`, percent-encoded.
    package var endpoint: String

    /// The base folder's name in a search's scope: percent-encoded, without a slash at its end.
    ///
    /// By RFC 5323 that is its path; Nextcloud wants it without the path of its interface.
    package var scope: String

    /// Describes a server's search.
    ///
    /// - Parameters:
    ///   - endpoint: The path that takes `SEARCH`, percent-encoded.
    ///   - scope: How the base folder is called in a search's scope.
    package init(endpoint: String, scope: String) {
        self.endpoint = endpoint
        self.scope = scope
    }
}
