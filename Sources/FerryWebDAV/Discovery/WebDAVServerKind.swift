/// The kind of server, as far as its answers tell for certain.
///
/// The `Server` field alone says little: in front of any server there may be another that puts its own name there. So
/// the compliance classes, which such a proxy passes on, must fit too; what does not fit is ``unknown``.
package enum WebDAVServerKind: String, Sendable, Hashable, CaseIterable {
    /// Apache with mod_dav and mod_dav_fs.
    case apache
    /// nginx with its own WebDAV module, and the module that adds `PROPFIND`.
    case nginx
    /// lighttpd with mod_webdav.
    case lighttpd
    /// WsgiDAV.
    case wsgidav
    /// Anything on Go's `golang.org/x/net/webdav`, as `rclone serve webdav` is.
    case golang
    /// Nextcloud or ownCloud.
    case nextcloud
    /// Yandex Disk; from what its maker publishes, never tried on the real thing.
    case yandex
    /// Fastmail's files; from what other clients publish, never tried on the real thing.
    case fastmail
    /// Anything else.
    case unknown

    /// A service that is known by its address alone.
    ///
    /// - Parameter host: The host's name, in lower case.
    /// - Returns: `nil` for any other.
    package static func service(at host: String) -> WebDAVServerKind? {
        switch host {
        case "webdav.yandex.ru", "webdav.yandex.com": .yandex
        case "webdav.fastmail.com", "myfiles.fastmail.com": .fastmail
        default: nil
        }
    }

    /// Indicates whether the tests have run against such a server, so that trying it out tells nothing new.
    var isMeasured: Bool { ![.unknown, .yandex, .fastmail].contains(self) }

    /// Looks at what a server says of itself.
    ///
    /// - Parameter facts: The known facts; without the server's answer to `OPTIONS` it is ``unknown``.
    package init(_ facts: WebDAVServerFacts) {
        let software = facts.software?.lowercased() ?? ""
        let classes = facts.complianceClasses ?? []
        // Class 2 is locks, which each of them can be set up without.
        let others = classes.subtracting(["2"])
        if let service = facts.host.flatMap({ Self.service(at: $0) }) {
            self = service
        } else if classes.contains(where: { $0.hasPrefix("nc-") || $0.hasPrefix("nextcloud-") || $0.hasPrefix("oc-") })
        {
            self = .nextcloud
        } else if others == ["1", Self.apacheFileSystem], Self.isModern(apache: software) {
            self = .apache
        } else if classes == ["2"] || classes == ["1"] && facts.allowedMethods == Self.nginxMethods,
            software.hasPrefix("nginx")
        {
            self = .nginx
        } else if others == ["1", "3"], software.hasPrefix("lighttpd") {
            self = .lighttpd
        } else if others == ["1"], software.hasPrefix("wsgidav") {
            self = .wsgidav
        } else if classes == ["1", "2"], facts.allowedMethods == Self.golangMethods {
            self = .golang
        } else {
            self = .unknown
        }
    }

    /// The methods that nginx's module allows, whatever it was set up for; a server behind nginx has its own list.
    private static let nginxMethods: Set<String> = [
        "GET", "HEAD", "PUT", "DELETE", "MKCOL", "COPY", "MOVE", "PROPFIND", "OPTIONS", "LOCK", "UNLOCK",
    ]

    /// The class that mod_dav_fs, and nobody else, adds.
    private static let apacheFileSystem = "<http://apache.org/dav/propset/fs/1>"

    /// The methods that Go's package allows on a folder: no `MKCOL`, although it makes folders, and no `PUT`.
    private static let golangMethods: Set<String> = [
        "OPTIONS", "LOCK", "DELETE", "PROPPATCH", "COPY", "MOVE", "UNLOCK", "PROPFIND",
    ]

    /// Before 2.4 a `PUT` wrote into the file itself.
    private static func isModern(apache software: String) -> Bool {
        guard software.hasPrefix("apache") else { return false }
        return !["apache/1", "apache/2.0", "apache/2.1", "apache/2.2"].contains { software.hasPrefix($0) }
    }
}
