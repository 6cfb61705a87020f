/// The WebDAV servers that tests run as processes of their own.
public enum RealServerKind: String, CaseIterable, Sendable, CustomStringConvertible {
    /// Apache's mod_dav.
    case apache
    /// nginx with its dav and dav-ext modules.
    case nginx
    /// lighttpd's mod_webdav.
    case lighttpd
    /// WsgiDAV on cheroot.
    case wsgidav
    /// `rclone serve webdav`.
    case rclone

    /// Its short name.
    public var description: String { rawValue }

    /// How to start it.
    var recipe: any ServerRecipe.Type {
        switch self {
        case .apache: ApacheRecipe.self
        case .nginx: NginxRecipe.self
        case .lighttpd: LighttpdRecipe.self
        case .wsgidav: WsgidavRecipe.self
        case .rclone: RcloneRecipe.self
        }
    }
}
