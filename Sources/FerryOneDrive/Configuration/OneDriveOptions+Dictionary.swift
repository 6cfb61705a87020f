import FerryCore
import FerryHTTP
import Foundation

extension OneDriveOptions {
    enum Key {
        static let cloud = "cloud"
        static let tenant = "tenant"
        static let graph = "graph-url"
        static let token = "token-url"
        static let authorization = "authorization-url"
        static let device = "device-url"
        static let client = "client-id"
        static let scopes = "scopes"
        static let drive = "drive"
        static let user = "user"
        static let site = "site"
        static let rootFolder = "root-folder"
        static let noVersions = "no-versions"
        static let hardDelete = "hard-delete"
        static let antivirus = "av-override"
        static let index = "search-index"
        static let redirectPort = "redirect-port"
    }

    /// Reads the options of a configuration.
    ///
    /// - Parameter options: Names and values; names of others are passed over.
    /// - Throws: `CocoaError.coderInvalidValue` for a value that makes no sense.
    package init(_ options: [String: String]) throws {
        self.init()
        if let text = options[Key.cloud] {
            guard let cloud = OneDriveCloud(rawValue: text) else {
                throw Self.wrong(Key.cloud, text, OneDriveCloud.allCases.map(\.rawValue).joined(separator: ", "))
            }
            self.cloud = cloud
        }
        if let tenant = Self.text(Key.tenant, in: options) { self.tenant = tenant }
        statedGraphURL = try Self.url(Key.graph, in: options)
        statedTokenURL = try Self.url(Key.token, in: options)
        statedAuthorizationURL = try Self.url(Key.authorization, in: options)
        statedDeviceURL = try Self.url(Key.device, in: options)
        clientID = Self.text(Key.client, in: options)
        scopes = Self.text(Key.scopes, in: options)?.split(separator: " ").map(String.init)
        drive = try Self.drive(in: options)
        rootFolder = Self.text(Key.rootFolder, in: options)
        keepsNoVersions = try Self.flag(Key.noVersions, in: options) ?? false
        removesForGood = try Self.flag(Key.hardDelete, in: options) ?? false
        overridesAntivirus = try Self.flag(Key.antivirus, in: options) ?? false
        searchesIndex = try Self.flag(Key.index, in: options) ?? true
        if let text = options[Key.redirectPort] {
            guard let port = UInt16(text) else { throw Self.wrong(Key.redirectPort, text, "0 to 65535") }
            redirectPort = port
        }
        http = HTTPOptions(options)
    }

    private static func drive(in options: [String: String]) throws -> OneDriveDrive {
        let id = text(Key.drive, in: options).flatMap { $0 == "me" ? nil : $0 }
        let (user, site) = (text(Key.user, in: options), text(Key.site, in: options))
        guard [id, user, site].compactMap({ $0 }).count < 2 else {
            throw CocoaError(
                .coderInvalidValue,
                userInfo: [NSLocalizedDescriptionKey: "only one of the options drive, user and site can be set"]
            )
        }
        if let id { return .id(id) }
        if let user { return .user(user) }
        guard let site else { return .me }
        guard OneDriveDrive.sitePath(site) != nil else {
            throw wrong(Key.site, site, "a site's URL, hostname:/path, or a site's identifier")
        }
        return .site(site)
    }

    /// The options that differ from the usual ones, by name.
    package var dictionary: [String: String] {
        let usual = OneDriveOptions()
        var options = http.dictionary
        if cloud != usual.cloud { options[Key.cloud] = cloud.rawValue }
        if tenant != usual.tenant { options[Key.tenant] = tenant }
        options[Key.graph] = statedGraphURL?.absoluteString
        options[Key.token] = statedTokenURL?.absoluteString
        options[Key.authorization] = statedAuthorizationURL?.absoluteString
        options[Key.device] = statedDeviceURL?.absoluteString
        options[Key.client] = clientID
        options[Key.scopes] = scopes?.joined(separator: " ")
        switch drive {
        case .me: break
        case .id(let id): options[Key.drive] = id
        case .user(let user): options[Key.user] = user
        case .site(let site): options[Key.site] = site
        }
        options[Key.rootFolder] = rootFolder
        if keepsNoVersions { options[Key.noVersions] = "true" }
        if removesForGood { options[Key.hardDelete] = "true" }
        if overridesAntivirus { options[Key.antivirus] = "true" }
        if !searchesIndex { options[Key.index] = "false" }
        options[Key.redirectPort] = redirectPort.map { String($0) }
        return options
    }

    // MARK: Reading values

    private static func text(_ key: String, in options: [String: String]) -> String? {
        options[key].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func url(_ key: String, in options: [String: String]) throws -> URL? {
        guard let text = options[key] else { return nil }
        // Each of them gets a token, or a code for one.
        guard let url = URL(string: text), let origin = HTTPOrigin(url), origin.scheme == "https" || origin.isLoopback,
            url.user == nil, url.password == nil
        else { throw wrong(key, "…", "a URL of https") }
        return url
    }

    private static func flag(_ key: String, in options: [String: String]) throws -> Bool? {
        guard let text = options[key] else { return nil }
        switch text.lowercased() {
        case "true", "yes", "on", "1": return true
        case "false", "no", "off", "0": return false
        default: throw wrong(key, text, "true or false")
        }
    }

    private static func wrong(_ key: String, _ value: String, _ allowed: String) -> CocoaError {
        CocoaError(
            .coderInvalidValue,
            userInfo: [NSLocalizedDescriptionKey: "the option \(key) is '\(value)'; it can be \(allowed)"]
        )
    }
}
