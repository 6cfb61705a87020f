import FerryTestKit
import FerryTestServers

/// The rules that real servers can't keep, and so no provider on them, each with the reason.
///
/// The suite fails when a rule in here is kept after all, so that this list stays true.
enum ServerDeviations {
    /// The rules that a server is known to break.
    static func of(_ way: RealServerWay) -> [ConformanceCheck.ID: String] {
        let own: [ConformanceCheck.ID: String] =
            switch way.kind {
            case .apache: [:]
            case .nginx: nginx
            case .lighttpd: lighttpd
            case .wsgidav: wsgidav
            case .rclone: rclone
            }
        return own.merging(everywhere) { own, _ in own }
    }

    /// The rules that a server keeps when it happens to be asked in between.
    static let occasional: Set<ConformanceCheck.ID> = ["monitoring.order"]

    private static let everywhere: [ConformanceCheck.ID: String] = [
        "monitoring.order": "no server tells of changes: what is made and removed between two questions is never seen"
    ]

    private static let nginx: [ConformanceCheck.ID: String] = [
        "names.file-leading-dot": hiddenNames,
        "names.file-three-dots": hiddenNames,
        "names.file-backslash": hiddenNames,
        "names.folder-leading-dot": hiddenNames,
        "names.folder-three-dots": hiddenNames,
        "names.folder-backslash": hiddenNames,
        "searching.leaving-early": hiddenNames,
        "overwriting.copy-merges": hiddenMembers,
        "overwriting.move-merges": hiddenMembers,
        "situations.full-write": full("500") + ", and leaves its own temporary file",
        "situations.full-overwrite": full("500") + ", and leaves its own temporary file",
        "situations.full-copy": full("500"),
        "situations.unreadable-folder": "nginx answers 500, as it does to whatever else keeps it from listing",
    ]

    private static let lighttpd: [ConformanceCheck.ID: String] = [
        "situations.full-copy": "lighttpd's copy of a file is a hard link, which takes no room",
        "situations.unreadable-folder": emptyFolder,
    ]

    private static let wsgidav: [ConformanceCheck.ID: String] = [
        // Content written into the file itself would be torn when the line breaks, so another file takes its place.
        "locks.own-changes": "WsgiDAV ends the lock of a file that another takes the place of"
    ]

    private static let rclone: [ConformanceCheck.ID: String] = [
        "situations.full-write": full("405"),
        "situations.full-overwrite": full("405"),
        "situations.full-copy": full("500"),
        "situations.unreadable-file": "rclone promises all of a file that it may not read, and then hangs up",
        "situations.unreadable-folder": emptyFolder,
    ]

    private static func full(_ status: String) -> String {
        "it answers \(status) when its disk is full, as in other cases, and tells no quota"
    }

    private static let hiddenNames = "nginx lists no name that begins with a dot"
    private static let hiddenMembers = hiddenNames + ": such items would be left out, or lost"
    private static let emptyFolder = "a folder that the server may not read looks empty in its answer"
}
