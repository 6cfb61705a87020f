public import Foundation

/// The options by which a file is written.
public struct WriteOptions: Sendable, Hashable {
    /// Indicates whether an existing file may be replaced.
    public var overwrite: Bool

    /// The eTag that the existing file must still have; then the file must exist, and may be replaced.
    public var ifMatch: String?

    /// The modified date to give the file, where the storage can keep it.
    public var modifiedDate: Date?

    /// The media type to give the file, where the storage can keep it.
    public var contentType: String?

    /// Indicates whether the final name must never show a mixture of old and new.
    public var atomically: Bool

    /// Indicates whether to return only when the bytes would survive a loss of power, where the storage lets us know.
    public var synchronizes: Bool

    /// Makes options.
    ///
    /// - Parameters:
    ///   - overwrite: `true` if an existing file may be replaced.
    ///   - ifMatch: The eTag that the existing file must still have.
    ///   - modifiedDate: The modified date to give the file.
    ///   - contentType: The media type to give the file.
    ///   - atomically: `true` if the final name must never show a mixture.
    ///   - synchronizes: `true` if the bytes must survive a loss of power.
    public init(
        overwrite: Bool = false,
        ifMatch: String? = nil,
        modifiedDate: Date? = nil,
        contentType: String? = nil,
        atomically: Bool = true,
        synchronizes: Bool = false
    ) {
        self.overwrite = overwrite
        self.ifMatch = ifMatch
        self.modifiedDate = modifiedDate
        self.contentType = contentType
        self.atomically = atomically
        self.synchronizes = synchronizes
    }
}
