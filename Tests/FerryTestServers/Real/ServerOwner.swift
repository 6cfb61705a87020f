import Foundation

/// The user that a server becomes when it is started by root.
struct ServerOwner: Sendable {
    let name: String
    let id: uid_t
    let group: gid_t

    /// Debian's user for web servers; `nil` for tests that don't run as root, or where there is none.
    static var webServer: ServerOwner? {
        guard geteuid() == 0, let entry = getpwnam("www-data") else { return nil }
        return ServerOwner(name: "www-data", id: entry.pointee.pw_uid, group: entry.pointee.pw_gid)
    }

    func own(_ path: String) {
        lchown(path, id, group)
    }
}
