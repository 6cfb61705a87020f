public import FerryCore
import FerryHTTP
import Foundation

extension StorageKind {
    /// An account at Dropbox, by its HTTP API (version 2).
    public static let dropbox: StorageKind = {
        var kind = StorageKind(
            type: DropboxFileProvider.type,
            displayName: "Dropbox",
            summary: "An account at Dropbox, with an app of your own"
        ) { configuration, opening in
            let account = try await DropboxFileProvider(
                configuration: configuration.throughProxies,
                credentials: opening.credentials,
                environment: opening.environment,
                uploadsFolder: opening.uploadsFolder
            )
            let options = account.options
            guard options.showsSharedFolders || options.showsSharedFiles else { return account }
            return DropboxSharedFileProvider(
                account,
                folders: options.showsSharedFolders,
                files: options.showsSharedFiles
            )
        }
        kind.logins = [.oauth2(DropboxOptions.oauth2), .token]
        kind.options = DropboxOptions.all
        kind.examples = ["mydropbox --type dropbox --client-id APP-KEY"]
        kind.rclone = .dropbox
        kind.isTriedInFull = true
        return kind
    }()
}

extension DropboxOptions {
    /// The login by OAuth 2, as Dropbox documents it (<https://developers.dropbox.com/oauth-guide>).
    package static let oauth2: StorageOAuth2 = {
        let usual = DropboxOptions()
        var oauth = StorageOAuth2()
        oauth.authorizationURL = usual.authorizationURL
        oauth.tokenURL = usual.tokenURL
        // The redirect URI is compared as a whole with those of the app's page.
        oauth.redirectPort = usual.redirectPort
        // The page of the authorization shows the code if the request has no redirect_uri.
        oauth.showsCode = true
        // Without, the login ends after four hours.
        oauth.parameters = ["token_access_type": "offline"]
        return oauth
    }()

    fileprivate static let all: [StorageOption] =
        [
            StorageOption(Key.client, "Key of your app, from the App Console of Dropbox").decidingAccount().askedFor(),
            StorageOption(
                Key.pathRoot,
                "Folder that paths begin at: home, team, or the number of a namespace",
                default: DropboxOptions().pathRoot.text
            ).decidingAccount(),
            StorageOption(
                Key.sharedFolders,
                "Shows the folders that are shared with you, mounted or not, in place of your files",
                value: .flag,
                default: "false"
            ).decidingAccount(),
            StorageOption(
                Key.sharedFiles,
                "Shows the files that are shared with you one by one, to read, in place of your files",
                value: .flag,
                default: "false"
            ).decidingAccount(),
            StorageOption(
                Key.index,
                "Searches by name in Dropbox's index, which lags behind changes",
                value: .flag,
                default: "true"
            ),
            StorageOption(
                Key.redirectPort,
                "OAuth 2: port of http://127.0.0.1:PORT/ferry, to which a browser is sent back",
                value: .number(0...65_535),
                default: "53682"
            ),
            StorageOption(Key.api, "Base URL of the API's RPC endpoints", value: .url, default: "Dropbox's")
                .decidingAccount(),
            StorageOption(Key.content, "Base URL of the API's content endpoints", value: .url, default: "Dropbox's"),
            StorageOption(
                Key.notify,
                "Base URL of the API's notification endpoints",
                value: .url,
                default: "Dropbox's"
            ),
            StorageOption(Key.token, "OAuth 2: endpoint that issues tokens", value: .url, default: "Dropbox's"),
            StorageOption(
                Key.authorization,
                "OAuth 2: page where a browser logs in",
                value: .url,
                default: "Dropbox's"
            ),
        ] + HTTPOptions.all
}

extension RcloneRule {
    fileprivate static let dropbox: RcloneRule = {
        var rule = RcloneRule(type: "dropbox") { section in
            var (secret, notes) = section.token()
            var configuration = ProviderConfiguration(type: DropboxFileProvider.type)
            configuration.options[DropboxOptions.Key.client] = section.value("client_id")
            if section.value("client_id") == nil, secret != nil {
                notes.append(
                    "its token was issued to rclone's own app and can't be renewed: log in again with an app of yours"
                )
            }
            if let namespace = section.value("root_namespace") {
                guard case .namespace? = DropboxPathRoot(namespace) else {
                    throw RcloneSection.Problem("its root_namespace '\(namespace)' is not the number of a namespace")
                }
                configuration.options[DropboxOptions.Key.pathRoot] = namespace
            }
            var remote = RcloneRemote(configuration, secret: secret, notes: notes)
            remote.clientSecret = section.value("client_secret")
            return remote
        }
        rule.renamed = [
            ("shared_folders", DropboxOptions.Key.sharedFolders), ("shared_files", DropboxOptions.Key.sharedFiles),
        ]
        rule.leftOut = ["impersonate", "chunk_size", "batch_mode", "encoding"]
        return rule
    }()
}
