public import FerryCore
import Foundation

extension HTTPFileProvider {
    /// The items of a folder, page after page.
    ///
    /// - Parameter path: The folder.
    /// - Returns: Pages as they arrive.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        paginated(path: path) { token in
            try await self.listingRequest(path: path, page: token)
        } pageHandler: { answer in
            let page = try self.page(from: answer, path: path)
            // A server that lists the folder in itself, or others' items, would lead us astray. Items of a folder that is
            // addressed by its identifier may have paths by name, but all in the same folder.
            let folder = path.beginsWithIdentifier ? page.items.first?.path.parent : path
            guard page.items.allSatisfy({ !$0.name.isEmpty && $0.path.parent == folder }) else {
                throw URLError.answer(.cannotParseResponse, description: "the listing has items of other folders")
            }
            return page
        }
    }

    /// A listing of pages, each of which says how to ask for the next.
    ///
    /// - Parameters:
    ///   - path: The folder, for errors.
    ///   - requestHandler: Makes the request for a page from the token that the page before gave; `nil` for the first.
    ///   - pageHandler: Makes sense of a successful answer.
    /// - Returns: The listing. It throws `URLError.cannotParseResponse` for a token that came before, for pages that don't
    ///   end, and for answers that make no sense.
    public func paginated(
        path: ItemPath,
        requestHandler: @escaping @Sendable (_ token: String?) async throws -> HTTPFileRequest,
        pageHandler: @escaping @Sendable (_ answer: HTTPFileAnswer) throws -> HTTPListingPage
    ) -> DirectoryListing {
        DirectoryListing {
            let place = ListingPlace()
            return {
                try await place.next { token in
                    let request = try await requestHandler(token)
                    let answer = try await self.pageAnswer(to: request, path: path)
                    return try await self.understood { try pageHandler(answer) }
                }
            }
        }
    }

    /// Collects a list that comes in pages, each of which says how to ask for the next: links, versions, changes.
    ///
    /// - Parameters:
    ///   - path: The item that the list is about, for errors.
    ///   - requestHandler: Makes the request for a page from the token that the page before gave; `nil` for the first.
    ///   - pageHandler: Makes sense of a successful answer.
    /// - Returns: The items of all pages, in order.
    /// - Throws: Errors of the connection; `URLError.cannotParseResponse` for a token that came before, for pages that
    ///   don't end, and for answers that make no sense.
    public func collected<Item: Sendable>(
        path: ItemPath,
        requestHandler: (_ token: String?) async throws -> HTTPFileRequest,
        pageHandler: (_ answer: HTTPFileAnswer) throws -> HTTPPage<Item>
    ) async throws -> [Item] {
        try await HTTPPageCursor.all(of: "list") { token in
            let answer = try await self.answer(to: try await requestHandler(token), about: path)
            return try await self.understood { try pageHandler(answer) }
        }
    }

    private func pageAnswer(to request: HTTPFileRequest, path: ItemPath) async throws -> HTTPFileAnswer {
        do {
            return try await answer(to: request, about: path)
        } catch {
            guard let refusal = error.serverAnswer else { throw error }
            throw try await refusalOfReading(refusal, path: path, wantsFolder: true)
        }
    }

    /// Returns what the server knows about one item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileReadNoPermission`; `URLError.cannotParseResponse`.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        let answer = try await answer(to: attributesRequest(path: path), about: path)
        return try await understood { try attributes(from: answer, path: path) }
    }
}

/// The place of a listing, which one caller after the other moves on.
private actor ListingPlace {
    private var cursor = HTTPPageCursor<FileObject>()

    func next(_ page: @Sendable (String?) async throws -> HTTPListingPage) async throws -> [FileObject]? {
        var moved = cursor
        let items = try await moved.next(page)
        cursor = moved
        return items
    }
}
