public import Foundation

/// The record that leads back to a file that is written in parts; it holds no secret.
public struct PartialWrite: Sendable, Hashable, Codable {
    /// The file that it will be.
    public var path: ItemPath

    /// Bytes in all.
    public var length: Int64

    /// The limits that its parts must keep.
    public var limits: PartialWriteLimits

    /// The values that the storage needs to find it again.
    public var values: [String: String]

    /// The date at which the storage will forget it; `nil` if it does not say.
    public var expires: Date?

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - path: The file that it will be.
    ///   - length: Bytes in all.
    ///   - limits: How its parts must be.
    ///   - values: The values that the storage needs to find it again.
    ///   - expires: When the storage will forget it.
    public init(
        path: ItemPath,
        length: Int64,
        limits: PartialWriteLimits,
        values: [String: String] = [:],
        expires: Date? = nil
    ) {
        self.path = path
        self.length = length
        self.limits = limits
        self.values = values
        self.expires = expires
    }
}

/// The bytes of a part that have arrived are not those that were sent: it must be sent again.
public struct DamagedPartError: Error, Sendable {
    /// The file that it is a part of.
    public var path: ItemPath

    /// Makes the error.
    ///
    /// - Parameter path: The file that it is a part of.
    public init(path: ItemPath) { self.path = path }
}

/// The storage knows no more of a file that was written in parts: all of it must be written anew.
public struct PartialWriteLostError: Error, Sendable {
    /// The file that it would have been.
    public var path: ItemPath

    /// The storage's own error.
    public var underlying: (any Error)?

    /// Makes the error.
    ///
    /// - Parameters:
    ///   - path: The file that it would have been.
    ///   - underlying: The storage's own error.
    public init(path: ItemPath, underlying: (any Error)? = nil) {
        self.path = path
        self.underlying = underlying
    }
}
