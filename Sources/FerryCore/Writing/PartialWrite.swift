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

/// The limits that the parts of a file must keep.
public struct PartialWriteLimits: Sendable, Hashable, Codable {
    /// Bytes of each part but the last, if all must have the same; `nil` if parts may be of any length.
    public var partSize: Int64?

    /// Offsets of parts are multiples of it, at least 1.
    public var alignment: Int64

    /// Parts that are sensible at the same time, in any order; 1 where each must begin where the last one ended.
    public var parallelism: Int

    /// Indicates whether the storage knows only where the last byte is, and not which parts before it were written.
    public var tellsSizeOnly: Bool

    /// Makes limits.
    ///
    /// - Parameters:
    ///   - partSize: Bytes of each part but the last, if all must have the same.
    ///   - alignment: Offsets of parts are multiples of it.
    ///   - parallelism: Parts at the same time.
    ///   - tellsSizeOnly: `true` if the storage knows only where the last byte is.
    public init(
        partSize: Int64? = nil,
        alignment: Int64 = 1,
        parallelism: Int = 1,
        tellsSizeOnly: Bool = false
    ) {
        self.partSize = partSize
        self.alignment = max(1, alignment)
        self.parallelism = max(1, parallelism)
        self.tellsSizeOnly = tellsSizeOnly
    }
}

/// A listener for files that a storage can only write under their final names, where half a file stays if the process
/// dies.
///
/// With a record of them, what broke off can be removed or completed later.
package struct InPlaceWriting: Sendable {
    /// Called for a file before the first byte of it is sent; returns when that is written down.
    package let begins: @Sendable (PartialWrite) async -> Void

    /// Makes a listener.
    ///
    /// - Parameter begins: Called for a file before the first byte of it is sent.
    package init(_ begins: @escaping @Sendable (PartialWrite) async -> Void) {
        self.begins = begins
    }
}

extension PartialWrite {
    private static let inPlaceKey = "inPlace"

    /// A file that is written under its final name.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: Bytes in all; `nil` if that is not known.
    package init(inPlace path: ItemPath, length: Int64?) {
        self.init(path: path, length: length ?? 0, limits: PartialWriteLimits(), values: [Self.inPlaceKey: "true"])
    }

    /// Indicates whether the file is written under its final name.
    package var isInPlace: Bool { values[Self.inPlaceKey] != nil }
}
