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
            let cursor = HTTPPageCursor()
            return {
                try await cursor.next { token in
                    let request = try await requestHandler(token)
                    let answer = try await self.pageAnswer(to: request, path: path)
                    return try self.understood { try pageHandler(answer) }
                }
            }
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
        return try understood { try attributes(from: answer, path: path) }
    }
}
