import Foundation
import NIOHTTP1
import Synchronization

extension DropboxAccount {
    /// The namespaces of the account.
    var rootInfo: JSONObject {
        var fields = JSONObject([
            (".tag", .string(homePath == nil ? "user" : "team")), ("root_namespace_id", .string(rootNamespaceID)),
            ("home_namespace_id", .string(homeNamespaceID)),
        ])
        if let homePath { fields["home_path"] = .string(homePath) }
        return fields
    }
}

extension DropboxCall {
    /// Answers `users/get_current_account`.
    func currentAccount() -> DropboxResult {
        let words = account.name.split(separator: " ").map(String.init)
        var fields = JSONObject([
            ("account_id", .string(account.id)),
            (
                "name",
                [
                    "given_name": .string(words.first ?? ""), "surname": .string(words.last ?? ""),
                    "familiar_name": .string(words.first ?? ""), "display_name": .string(account.name),
                    "abbreviated_name": .string(words.compactMap(\.first).map { String($0) }.joined()),
                ]
            ),
            ("email", .string(account.email)), ("email_verified", true), ("disabled", false), ("locale", "en"),
            ("referral_link", "https://www.dropbox.com/referrals/lab"), ("is_paired", false),
            ("account_type", [".tag": .string(account.homePath == nil ? "basic" : "business")]),
            ("root_info", .object(account.rootInfo)), ("country", "CH"),
        ])
        if account.homePath != nil {
            fields["team"] = [
                "id": "dbtid:FerryLabTeam", "name": "Lab Team",
                "sharing_policies": [
                    "shared_folder_member_policy": [".tag": "anyone"],
                    "shared_folder_join_policy": [".tag": "from_anyone"],
                    "shared_link_create_policy": [".tag": "default_public"],
                    "group_creation_policy": [".tag": "admins_and_members"],
                    "shared_folder_link_restriction_policy": [".tag": "anyone"],
                    "enforce_link_password_policy": [".tag": "optional"],
                    "default_link_expiration_days_policy": [".tag": "none"],
                    "shared_link_default_permissions_policy": [".tag": "default"],
                ],
                "office_addin_policy": [".tag": "disabled"], "top_level_content_policy": [".tag": "everyone"],
            ]
            fields["team_member_id"] = "dbmid:FerryLabMember"
        }
        return .json(.object(fields))
    }

    /// Answers `users/get_space_usage`.
    func spaceUsage() -> DropboxResult {
        let (used, quota) = storage.read { ($0.used, $0.quota) }
        let allocated = quota ?? (1 << 50)
        let allocation: JSONValue =
            account.homePath == nil
            ? [".tag": "individual", "allocated": .integer(allocated)]
            : [
                ".tag": "team", "used": .integer(used), "allocated": .integer(allocated),
                "user_within_team_space_allocated": 0, "user_within_team_space_limit_type": [".tag": "off"],
                "user_within_team_space_used_cached": 0,
            ]
        return .json(["used": .integer(used), "allocation": allocation])
    }

    /// Answers `auth/token/revoke`.
    func revokeToken() -> DropboxResult {
        let text = request.headers.first(name: "authorization").map { String($0.dropFirst(7)) } ?? ""
        lab.state.withLock { state in
            guard let token = state.accessTokens.removeValue(forKey: text) else { return }
            // The whole login ends: its refresh token, and all access tokens made from it.
            guard let refreshToken = token.refreshToken else { return }
            state.refreshTokens[refreshToken] = nil
            state.accessTokens = state.accessTokens.filter { $0.value.refreshToken != refreshToken }
        }
        return .json(.null)
    }
}
