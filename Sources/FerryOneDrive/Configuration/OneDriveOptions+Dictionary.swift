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
        let values = OptionReader(options)
        let clouds = OneDriveCloud.allCases.map(\.rawValue).joined(separator: ", ")
        if let cloud = try values.value(Key.cloud, clouds, OneDriveCloud.init(rawValue:)) { self.cloud = cloud }
        if let tenant = values.text(Key.tenant) { self.tenant = tenant }
        statedGraphURL = try values.serverURL(Key.graph)
        statedTokenURL = try values.serverURL(Key.token)
        statedAuthorizationURL = try values.serverURL(Key.authorization)
        statedDeviceURL = try values.serverURL(Key.device)
        clientID = values.text(Key.client)
        scopes = values.text(Key.scopes)?.split(separator: " ").map(String.init)
        drive = try Self.drive(in: values)
        rootFolder = values.text(Key.rootFolder)
        keepsNoVersions = try values.flag(Key.noVersions) ?? false
        removesForGood = try values.flag(Key.hardDelete) ?? false
        overridesAntivirus = try values.flag(Key.antivirus) ?? false
        searchesIndex = try values.flag(Key.index) ?? true
        redirectPort = try values.number(Key.redirectPort, in: 0...UInt16.max) ?? redirectPort
        http = HTTPOptions(options)
    }

    private static func drive(in options: OptionReader) throws -> OneDriveDrive {
        let id = options.text(Key.drive).flatMap { $0 == "me" ? nil : $0 }
        let (user, site) = (options.text(Key.user), options.text(Key.site))
        guard [id, user, site].compactMap({ $0 }).count < 2 else {
            throw CocoaError.misconfigured("only one of the options drive, user and site can be set")
        }
        if let id { return .id(id) }
        if let user { return .user(user) }
        guard let site else { return .me }
        guard OneDriveDrive.sitePath(site) != nil else {
            throw OptionReader.wrong(Key.site, site, "a site's URL, hostname:/path, or a site's identifier")
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
}
