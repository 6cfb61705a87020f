import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension NextcloudFileProvider {
    /// Whom the server takes us for, and how much room there is.
    ///
    /// - Returns: The user.
    /// - Throws: Errors of the connection; `URLError.cannotParseResponse`.
    public func user() async throws -> NextcloudUser {
        try await Self.user(api)
    }

    static func user(_ api: OCSClient) async throws -> NextcloudUser {
        guard let user = NextcloudUser(try await api.call(.get, "cloud/user")) else {
            throw URLError.answer(.cannotParseResponse, description: "the server does not say who the user is")
        }
        return user
    }

    /// Makes a password for this program alone, which can be revoked by itself, and which the server checks quicker.
    ///
    /// - Returns: The app password: a secret, to be kept in place of the account's password.
    /// - Throws: `CocoaError.fileReadNoPermission` if the provider works with an app password already; errors of the
    ///   connection.
    public func makeAppPassword() async throws -> String {
        guard let password = try await api.call(.get, "core/getapppassword")["apppassword"].text else {
            throw URLError.answer(.cannotParseResponse, description: "the server gave no app password")
        }
        return password
    }

    /// Revokes the app password that the provider works with; nothing works afterwards.
    ///
    /// - Throws: `CocoaError.fileWriteNoPermission` if it works with the account's own password; errors of the
    ///   connection.
    public func revokeAppPassword() async throws {
        _ = try await api.call(.delete, "core/apppassword")
    }
}

/// Whom a server takes us for.
public struct NextcloudUser: Sendable, Hashable, Codable {
    /// The identifier, which paths are made of; what people log in with may be another name, or their mail address.
    public let id: String
    /// The name to show.
    public let displayName: String?
    /// The mail address.
    public let mail: String?
    /// Bytes in use.
    public let usedBytes: Int64?
    /// Bytes that may be used; `nil` without a limit, and if it isn't known.
    public let totalBytes: Int64?
    /// Bytes that can still be written; `nil` without a limit, and if it isn't known.
    public let freeBytes: Int64?

    init?(_ data: OCSValue) {
        guard let id = data["id"].text else { return nil }
        self.id = id
        displayName = data["display-name"].text ?? data["displayname"].text
        mail = data["email"].text
        let quota = data["quota"]
        // Negative numbers stand for "not computed", "unknown" and "no limit".
        usedBytes = quota["used"].integer.flatMap { $0 >= 0 ? $0 : nil }
        let hasLimit = (quota["quota"].integer ?? -3) >= 0
        totalBytes = hasLimit ? quota["total"].integer.flatMap { $0 >= 0 ? $0 : nil } : nil
        freeBytes = hasLimit ? quota["free"].integer.flatMap { $0 >= 0 ? $0 : nil } : nil
    }
}
