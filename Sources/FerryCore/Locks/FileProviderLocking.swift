public import Foundation

/// The options of a lock.
public struct FileLockOptions: Sendable, Hashable {
    /// Whom a lock keeps out.
    public enum Scope: String, Sendable, Hashable, Codable {
        /// Everybody else.
        case exclusive
        /// Everybody who has no lock.
        case shared
    }

    /// Whom the lock keeps out.
    public var scope: Scope

    /// Indicates whether the lock holds for all that is in a folder, now and later.
    public var includesItemsBelow: Bool

    /// The holder of the lock, for others to read: a name, an address.
    public var owner: String?

    /// The time that the lock is to hold unless it is refreshed; the storage may decide otherwise.
    public var timeout: Duration?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - scope: Whom the lock keeps out.
    ///   - includesItemsBelow: `true` if the lock holds for all that is in a folder.
    ///   - owner: The name of the lock's owner, for others to read; `nil` for the user of the storage.
    ///   - timeout: How long the lock is to hold unless it is refreshed.
    public init(
        scope: Scope = .exclusive,
        includesItemsBelow: Bool = true,
        owner: String? = nil,
        timeout: Duration? = .seconds(600)
    ) {
        self.scope = scope
        self.includesItemsBelow = includesItemsBelow
        self.owner = owner
        self.timeout = timeout
    }
}

/// A lock that we hold.
public struct FileLock: Sendable, Hashable, Codable {
    /// The item that is locked.
    public let path: ItemPath
    /// The token that proves that the lock is ours; others may see it, so it is no secret (RFC 4918 §6.5).
    public let token: String
    /// Whom the lock keeps out.
    public let scope: FileLockOptions.Scope
    /// Indicates whether the lock holds for all that is in the folder.
    public let includesItemsBelow: Bool
    /// The holder of the lock, for others to read.
    public let owner: String?
    /// The date at which the lock ends unless it is refreshed; `nil` for never, or if the storage does not say.
    public let expires: Date?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - path: The item that is locked.
    ///   - token: The token that proves that the lock is ours.
    ///   - scope: Whom the lock keeps out.
    ///   - includesItemsBelow: `true` if the lock holds for all that is in the folder.
    ///   - owner: The name of the lock's owner, for others to read.
    ///   - expires: When the lock ends unless it is refreshed.
    public init(
        path: ItemPath,
        token: String,
        scope: FileLockOptions.Scope = .exclusive,
        includesItemsBelow: Bool = true,
        owner: String? = nil,
        expires: Date? = nil
    ) {
        self.path = path
        self.token = token
        self.scope = scope
        self.includesItemsBelow = includesItemsBelow
        self.owner = owner
        self.expires = expires
    }
}

/// A storage on which items can be locked against others.
///
/// While this provider holds a lock, its own changes of the item go through; those of others fail with
/// `CocoaError.fileWriteNoPermission` and words that say who holds it.
public protocol FileProviderLocking: FileProviderBasic {
    /// Locks an item.
    ///
    /// - Parameters:
    ///   - path: The item; it must exist.
    ///   - options: How it is to be locked.
    /// - Returns: The lock, as the storage granted it.
    /// - Throws: `CocoaError.fileWriteNoPermission` if somebody else holds a lock; `.featureUnsupported` where nothing
    ///   can be locked; `.fileNoSuchFile`.
    func lock(path: ItemPath, options: FileLockOptions) async throws -> FileLock

    /// Makes a lock hold longer.
    ///
    /// - Parameters:
    ///   - lock: The lock, from this process or an earlier one.
    ///   - timeout: How long from now; `nil` for what the storage likes.
    /// - Returns: The lock with its new end.
    /// - Throws: ``PreconditionFailedError`` when the lock is no longer held.
    func refresh(_ lock: FileLock, timeout: Duration?) async throws -> FileLock

    /// Ends a lock.
    ///
    /// - Parameter lock: The lock, from this process or an earlier one.
    /// - Throws: ``PreconditionFailedError`` when the lock is no longer held.
    func unlock(_ lock: FileLock) async throws

    /// The locks on an item, whoever holds them.
    ///
    /// - Parameter path: The item.
    /// - Returns: Locks on the item, or on a folder above it that hold for it.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    func locks(on path: ItemPath) async throws -> [FileLock]
}
