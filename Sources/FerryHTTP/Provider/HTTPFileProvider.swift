public import FerryCore
public import Foundation
public import HTTPTypes

/// A storage that is reached by requests to an HTTP API.
///
/// To write such a provider, say in the requirements below what to ask, and what the answers mean. The rest comes for
/// free: listing page by page, reading whole files, parts and streams, going on after a cut at the byte where it broke,
/// writing from streams in bounded memory, moving, copying and merging folders, progress, cancelling, and the errors that
/// every provider throws in the same situations. See <doc:WritingAnHTTPProvider>.
///
/// Where an API does something better than the general way, its provider implements it itself: each method of the
/// protocols that this one refines can be written anew. An API that needs all of them anew, as one whose operations are
/// made of several requests does, is an ``HTTPBackedFileProvider``.
public protocol HTTPFileProvider: HTTPBackedFileProvider {
    /// Returns what to ask for an operation.
    ///
    /// | operation | what the request does |
    /// |---|---|
    /// | `.fetch` | sends the content of a file; `Range` and conditions are added to it |
    /// | `.modify` | takes the content of a file, which becomes the request's body, new or in place of what is there |
    /// | `.create` | makes a folder |
    /// | `.move`, `.copy` | move or copy an item inside the storage, a folder with all below it |
    /// | `.remove` | removes an item, a folder with all below it |
    ///
    /// - Parameters:
    ///   - operation: The operation to be done.
    ///   - overwrite: `true` if a file may be replaced. If not, the server must refuse when there is one; where no
    ///     request can make it, leave `FileProviderCapabilities.createsExclusively` unset: then we look first.
    ///   - attributes: The other known attributes of the item.
    /// - Returns: The request, without credentials.
    /// - Throws: `CocoaError.featureUnsupported` for a `.move` or `.copy` that the server can't do; then the content is
    ///   read and written again. `CocoaError.fileWriteInvalidFileName` for a name that the storage can't have.
    func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest

    /// Returns what to ask for the attributes of an item.
    ///
    /// - Parameter path: The item.
    /// - Returns: The request.
    /// - Throws: The error that keeps the request from being made.
    func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest

    /// Returns what to ask for a page of a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - token: The token of this page, from the page before; `nil` for the first.
    /// - Returns: The request.
    /// - Throws: The error that keeps the request from being made.
    func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest

    /// The item that an answer describes.
    ///
    /// - Parameters:
    ///   - answer: A successful answer to ``attributesRequest(path:)``.
    ///   - path: The item that was asked for.
    /// - Returns: The item.
    /// - Throws: Any error for an answer that makes no sense; it becomes `URLError.cannotParseResponse`. A
    ///   `FileProviderHTTPError` for one that means a failure, whatever its status.
    func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject

    /// The page that an answer holds.
    ///
    /// - Parameters:
    ///   - answer: A successful answer to ``listingRequest(path:page:)``.
    ///   - path: The folder that was asked for.
    /// - Returns: The items, and what leads to the next page.
    /// - Throws: As ``attributes(from:path:)``.
    func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage

    /// The facts about a content, from the head of the answer that brings it.
    ///
    /// - Parameters:
    ///   - head: Status and fields of a successful answer to a `.fetch`.
    ///   - path: The file.
    ///   - facts: The facts that HTTP's own fields tell.
    /// - Returns: The facts, with what the service tells in fields of its own. The range is always that of the answer.
    func contentFacts(from head: HTTPResponse, path: ItemPath, facts: FileContentFacts) -> FileContentFacts

    /// The file that was written, if the answer to a `.modify` describes it.
    ///
    /// Its size, where it is known, is compared with what was sent.
    ///
    /// - Parameters:
    ///   - answer: A successful answer.
    ///   - path: The file.
    /// - Returns: The file; `nil` if the answer does not say.
    /// - Throws: Any error for an answer that makes no sense.
    func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject?

    /// Makes sure that an operation was done whose answer is a success.
    ///
    /// A service that does it as a job (202) is asked how the job stands until it is over, see
    /// ``result(of:about:timeout:_:)``.
    ///
    /// - Parameters:
    ///   - operation: The operation that was to be done.
    ///   - answer: A successful answer to the request for it.
    /// - Throws: A `FileProviderHTTPError` where the answer means a failure, whatever its status: of a part of what was to
    ///   be done (207), or of all of it. Any other error for an answer that makes no sense.
    func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) async throws

    /// The error of an answer that is no success, with the server's own words.
    ///
    /// An error with the status 429 for an answer that has another one says that the service is busy, and has done
    /// nothing: some say "slow down" in the body of a 403 or 409. The request is sent again as after a real 429, if its
    /// body can be read again, after the error's `retryAfter`, or the wait of the session's policy.
    ///
    /// - Parameters:
    ///   - status: The answer's status.
    ///   - path: The item that the request was about.
    ///   - data: The beginning of the answer's body, 16 KiB at most.
    /// - Returns: An ``HTTPServerError``, or a type of the provider's own. A server that means something else by a status
    ///   than HTTP gets the status that fits.
    func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError
}

extension HTTPFileProvider {
    /// HTTP's own fields tell all.
    ///
    /// - Parameters:
    ///   - head: Status and fields of a successful answer.
    ///   - path: The file.
    ///   - facts: The facts that HTTP's own fields tell.
    /// - Returns: The same facts.
    public func contentFacts(from head: HTTPResponse, path: ItemPath, facts: FileContentFacts) -> FileContentFacts {
        facts
    }

    /// The answer does not say.
    ///
    /// - Parameters:
    ///   - answer: A successful answer.
    ///   - path: The file.
    /// - Returns: `nil`.
    /// - Throws: Nothing.
    public func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? { nil }

    /// A status of success means what it says.
    ///
    /// - Parameters:
    ///   - operation: The operation that was to be done.
    ///   - answer: A successful answer.
    /// - Throws: Nothing.
    public func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) async throws {}

    /// Nothing is known of the room.
    ///
    /// - Returns: Empty properties.
    /// - Throws: Nothing.
    public func storageProperties() async throws -> VolumeObject { VolumeObject() }
}
