import FerryCore
import FerryHTTP
import FerryWebDAV
import Foundation
import HTTPTypes

/// WebDAV as `HTTPFileProvider` alone would do it: the requests and the sense of the answers are WebDAV's, all that is
/// made of them is the general way.
struct PlainWebDAV: HTTPFileProvider {
    static let type = "plain-webdav"

    let base: WebDAVFileProvider

    var transport: HTTPSession { base.transport }
    var environment: FileProviderEnvironment { base.environment }
    var baseURL: URL? { base.baseURL }
    var credential: FileProviderCredential? { base.credential }
    var retryPolicy: RetryPolicy { base.retryPolicy }
    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.locksItems = false
        return capabilities
    }

    func request(
        for operation: FileOperationType,
        overwrite: Bool,
        attributes: HTTPFileAttributes
    ) async throws -> HTTPFileRequest {
        try await base.request(for: operation, overwrite: overwrite, attributes: attributes)
    }

    func attributesRequest(path: ItemPath) async throws -> HTTPFileRequest {
        try await base.attributesRequest(path: path)
    }

    func listingRequest(path: ItemPath, page token: String?) async throws -> HTTPFileRequest {
        try await base.listingRequest(path: path, page: token)
    }

    func attributes(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject {
        try base.attributes(from: answer, path: path)
    }

    func page(from answer: HTTPFileAnswer, path: ItemPath) throws -> HTTPListingPage {
        try base.page(from: answer, path: path)
    }

    func writtenFile(from answer: HTTPFileAnswer, path: ItemPath) throws -> FileObject? {
        try base.writtenFile(from: answer, path: path)
    }

    func confirm(_ operation: FileOperationType, by answer: HTTPFileAnswer) async throws {
        try await base.confirm(operation, by: answer)
    }

    func serverError(with status: HTTPResponse.Status, path: ItemPath, data: Data) -> any FileProviderHTTPError {
        base.serverError(with: status, path: path, data: data)
    }
}
