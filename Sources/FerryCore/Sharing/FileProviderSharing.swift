public import Foundation

/// The permissions of somebody who has a public link.
public enum ShareAccess: String, Sendable, Hashable, Codable {
    /// Look and download.
    case read
    /// Also change, and add to a folder.
    case edit
}

/// The people that a public link works for.
///
/// A storage that can't make a link for exactly these people refuses it; it never makes one for more of them.
public enum ShareScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// Anybody who has the link. Dropbox: `public`; Microsoft Graph: `anonymous`.
    case anyone
    /// Those members of the owner's organization, or team, who have the link. Dropbox: `team`; Microsoft Graph:
    /// `organization`.
    case organization
    /// Nobody but those to whom the item is shared by name; the link opens it to no others. Dropbox: `no_one`;
    /// Microsoft Graph: `users`.
    case invited
}

/// The options by which a public link is made.
public struct ShareOptions: Sendable, Hashable {
    /// The permissions of its holder.
    public var access: ShareAccess

    /// The date at which it stops working; `nil` for never.
    public var expires: Date?

    /// The password that its holder has to enter; `nil` for none.
    public var password: String?

    /// The people that it works for; `nil` for anybody, or for fewer where the account's settings say so and the
    /// storage goes by them (Dropbox).
    public var scope: ShareScope?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - access: The permissions of the link's holder.
    ///   - expires: When it stops working.
    ///   - password: The password that its holder has to enter.
    ///   - scope: The people that it works for; `nil` for those that the storage chooses.
    public init(
        access: ShareAccess = .read,
        expires: Date? = nil,
        password: String? = nil,
        scope: ShareScope? = nil
    ) {
        self.access = access
        self.expires = expires
        self.password = password
        self.scope = scope
    }
}

/// A public link that exists.
public struct ShareLink: Sendable, Hashable, Codable {
    /// The storage's identifier of the link.
    public let id: String
    /// The item that it leads to.
    public let path: ItemPath
    /// The URL to send to people.
    public let url: URL
    /// The permissions of its holder; `nil` if the storage does not report them.
    public let access: ShareAccess?
    /// The date at which it stops working; `nil` for never.
    public let expires: Date?
    /// Indicates whether its holder has to enter a password; `nil` if the storage does not say.
    public let hasPassword: Bool?
    /// The people that it works for; `nil` if the storage does not say.
    public let scope: ShareScope?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - id: The storage's identifier of the link.
    ///   - path: The item that it leads to.
    ///   - url: The URL to send to people.
    ///   - access: The permissions of the link's holder.
    ///   - expires: When it stops working.
    ///   - hasPassword: `true` if its holder has to enter a password.
    ///   - scope: The people that it works for, as the storage reports them.
    public init(
        id: String,
        path: ItemPath,
        url: URL,
        access: ShareAccess? = nil,
        expires: Date? = nil,
        hasPassword: Bool? = nil,
        scope: ShareScope? = nil
    ) {
        self.id = id
        self.path = path
        self.url = url
        self.access = access
        self.expires = expires
        self.hasPassword = hasPassword
        self.scope = scope
    }
}

/// A storage that makes public links to its items.
public protocol FileProviderSharing: FileProviderBasic {
    /// Makes a public link.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    /// - Returns: The link.
    /// - Throws: `CocoaError.featureUnsupported` for an option that the storage lacks; it never leaves one out, and
    ///   never makes a link for more people than were asked for.
    func publicLink(to path: ItemPath, options: ShareOptions) async throws -> ShareLink

    /// The public links that exist.
    ///
    /// - Parameter path: The item they lead to; `nil` for all items.
    /// - Returns: Links in the storage's order.
    /// - Throws: Errors of the connection.
    func publicLinks(to path: ItemPath?) async throws -> [ShareLink]

    /// Ends a public link.
    ///
    /// - Parameter link: The link.
    /// - Throws: `CocoaError.fileNoSuchFile` if it does not exist.
    func revoke(_ link: ShareLink) async throws
}

extension FileProviderSharing {
    /// Revokes a link that was made, and is not as it was asked for.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - path: The item that it opens, for the error.
    /// - Throws: An error that names the link if it is still there.
    package func withdraw(_ link: ShareLink, to path: ItemPath) async throws {
        do {
            try await revoke(link)
        } catch {
            throw CocoaError.file(
                .fileWriteUnknown,
                path: path,
                description: "a link was made that is not as it was asked for, and is still there: \(link.url)",
                suggestion: "revoke it",
                underlying: error
            )
        }
    }
}
