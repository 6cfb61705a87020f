public import FerryCore
import FerryHTTP
import Foundation

extension StorageKind {
    /// An account at OneDrive, or a library of a SharePoint site, by Microsoft Graph (v1.0).
    public static let oneDrive: StorageKind = {
        var kind = StorageKind(
            type: OneDriveFileProvider.type,
            displayName: "OneDrive",
            summary: "An account at OneDrive or SharePoint, with an app of your own"
        ) { configuration, opening in
            try await OneDriveFileProvider(
                configuration: configuration.throughProxies,
                credentials: opening.credentials,
                environment: opening.environment,
                uploadsFolder: opening.uploadsFolder
            )
        }
        kind.logins = [.oauth2(OneDriveOptions.oauth2), .token]
        kind.options = OneDriveOptions.all
        kind.examples = [
            "myonedrive --type onedrive --client-id APP-ID",
            "team --type onedrive --client-id APP-ID --option site=https://contoso.sharepoint.com/sites/team",
        ]
        kind.rclone = .oneDrive
        kind.isTriedInFull = true
        return kind
    }()
}

extension OneDriveOptions {
    /// The login by OAuth 2 (<https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow>).
    package static let oauth2: StorageOAuth2 = {
        let usual = OneDriveOptions()
        var oauth = StorageOAuth2()
        oauth.authorizationURL = usual.authorizationURL
        oauth.tokenURL = usual.tokenURL
        oauth.deviceURL = usual.deviceURL
        oauth.scopes = usualScopes
        oauth.redirectHost = redirectHost
        return oauth
    }()

    fileprivate static let all: [StorageOption] =
        [
            StorageOption(Key.client, "Application (client) ID of your app, from Microsoft Entra").decidingAccount()
                .askedFor(),
            StorageOption(Key.drive, "Drive: me, or the identifier of a drive", default: "me").decidingAccount(),
            StorageOption(Key.site, "SharePoint site whose library is used: its URL, hostname:/path, or identifier")
                .decidingAccount(),
            StorageOption(Key.user, "User whose drive is used: identifier, or the name of the login").decidingAccount(),
            StorageOption(
                Key.rootFolder,
                "Folder that paths begin at: approot, documents, photos, cameraroll, music, or an identifier"
            ).decidingAccount(),
            StorageOption(
                Key.noVersions,
                "Removes the versions before a file that is replaced",
                value: .flag,
                default: "false"
            ),
            StorageOption(Key.hardDelete, "Removes items without the recycle bin", value: .flag, default: "false"),
            StorageOption(
                Key.antivirus,
                "Downloads files that the service takes for malware",
                value: .flag,
                default: "false"
            ),
            StorageOption(
                Key.index,
                "Searches by name in the service's index, which lags behind changes",
                value: .flag,
                default: "true"
            ),
            StorageOption(
                Key.cloud,
                "Cloud that the account is in",
                value: .choice(OneDriveCloud.allCases.map(\.rawValue)),
                default: OneDriveCloud.global.rawValue
            ).decidingAccount(),
            StorageOption(
                Key.tenant,
                "Directory to log in to: common, consumers, organizations, or that of an organization",
                default: "common"
            ),
            StorageOption(
                Key.redirectPort,
                "OAuth 2: port of this machine to which a browser is sent back",
                value: .number(0...65_535),
                default: "a free one"
            ),
            StorageOption(
                Key.graph,
                "Base URL of Microsoft Graph, version included",
                value: .url,
                default: "the cloud's"
            ).decidingAccount(),
            StorageOption(Key.token, "OAuth 2: endpoint that issues tokens", value: .url, default: "the cloud's"),
            StorageOption(
                Key.authorization,
                "OAuth 2: page where a browser logs in",
                value: .url,
                default: "the cloud's"
            ),
            StorageOption(
                Key.device,
                "OAuth 2: endpoint where a login on another device begins",
                value: .url,
                default: "the cloud's"
            ),
            StorageOption(
                Key.scopes,
                "OAuth 2: permissions to ask for, with spaces between them",
                default: usualScopes.joined(separator: " ")
            ),
        ] + HTTPOptions.all
}

extension RcloneRule {
    fileprivate static let oneDrive: RcloneRule = {
        var rule = RcloneRule(type: "onedrive") { section in
            var (secret, notes) = section.token()
            var configuration = ProviderConfiguration(type: OneDriveFileProvider.type)
            typealias Key = OneDriveOptions.Key
            configuration.options[Key.client] = section.value("client_id")
            if section.value("client_id") == nil, secret != nil {
                notes.append(
                    "its token was issued to rclone's own app and can't be renewed: log in again with an app of yours"
                )
            }
            configuration.options[Key.drive] = section.value("drive_id")
            configuration.options[Key.tenant] = section.value("tenant")
            configuration.options[Key.rootFolder] = section.value("root_folder_id")
            configuration.options[Key.authorization] = section.value("auth_url")
            configuration.options[Key.token] = section.value("token_url")
            switch section.value("region") {
            case nil, "global": break
            case "us": configuration.options[Key.cloud] = OneDriveCloud.us.rawValue
            case "cn": configuration.options[Key.cloud] = OneDriveCloud.china.rawValue
            case let region?: throw RcloneSection.Problem("its region '\(region)' is not known")
            }
            for (key, option) in [
                ("no_versions", Key.noVersions), ("hard_delete", Key.hardDelete), ("av_override", Key.antivirus),
            ] where section.isOn(key) { configuration.options[option] = "true" }
            var remote = RcloneRemote(configuration, secret: secret, notes: notes)
            remote.clientSecret = section.value("client_secret")
            return remote
        }
        rule.leftOut = ["chunk_size", "expose_onenote_files", "link_scope", "link_type", "link_password", "encoding"]
        return rule
    }()
}
