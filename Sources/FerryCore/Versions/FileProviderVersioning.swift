public import Foundation

/// An earlier content of a file.
public struct FileVersion: Sendable, Hashable, Codable {
    /// The storage's identifier of the version.
    public let id: String
    /// The date at which this content was written; `nil` if the storage does not say.
    public let modifiedDate: Date?
    /// Bytes; `nil` if the storage does not say.
    public let size: Int64?
    /// The eTag that the file had with this content.
    public let eTag: String?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: The storage's identifier of the version.
    ///   - modifiedDate: When this content was written.
    ///   - size: Bytes.
    ///   - eTag: The eTag that the file had.
    public init(id: String, modifiedDate: Date? = nil, size: Int64? = nil, eTag: String? = nil) {
        self.id = id
        self.modifiedDate = modifiedDate
        self.size = size
        self.eTag = eTag
    }
}

/// A storage that keeps earlier contents of its files.
public protocol FileProviderVersioning: FileProviderBasic {
    /// The earlier contents of a file; the present one is not among them.
    ///
    /// - Parameter path: The file.
    /// - Returns: Versions, latest first.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    func versions(of path: ItemPath) async throws -> [FileVersion]

    /// Opens an earlier content for reading.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Returns: Its bytes.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    func contentStream(of version: FileVersion, path: ItemPath) async throws -> FileContentStream

    /// Makes an earlier content the present one; the present one becomes a version itself.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    /// - Throws: `CocoaError.fileNoSuchFile` if the version is no longer kept.
    func restore(_ version: FileVersion, of path: ItemPath) async throws
}
