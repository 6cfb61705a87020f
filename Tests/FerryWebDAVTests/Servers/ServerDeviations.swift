import FerryTestKit
import FerryTestServers

/// What the real servers can't do, and so no provider on them: rules with the reason.
///
/// The suite fails when a rule in here is kept after all, so that this list stays true.
enum ServerDeviations {
    /// The rules that a server is known to break.
    static func of(_ way: RealServerWay) -> [ConformanceCheck.ID: String] {
        switch way.kind {
        case .apache: apache
        case .nginx: nginx
        case .lighttpd: lighttpd
        case .wsgidav: wsgidav
        case .rclone: rclone
        }
    }

    private static let apache: [ConformanceCheck.ID: String] = [
        "situations.unwritable-folder": "Apache answers 500 to a PUT into a folder that it may not change"
    ]

    private static let nginx: [ConformanceCheck.ID: String] = [
        "names.file-leading-dot": hiddenNames,
        "names.file-three-dots": hiddenNames,
        "names.file-backslash": hiddenNames,
        "names.folder-leading-dot": hiddenNames,
        "names.folder-three-dots": hiddenNames,
        "names.folder-backslash": hiddenNames,
        "searching.leaving-early": hiddenNames,
        "overwriting.copy-merges": "what nginx hides would be lost, so folders are not merged there",
        "overwriting.move-merges": "what nginx hides would be lost, so folders are not merged there",
        "situations.full-write": "nginx answers 500 when its disk is full, and leaves its own temporary file",
        "situations.full-overwrite": "nginx answers 500 when its disk is full, and leaves its own temporary file",
        "situations.full-copy": "nginx answers 500 when its disk is full, and leaves its own temporary file",
        "situations.unreadable-folder": emptyFolder,
        "situations.unwritable-folder": "nginx answers 500 to a PUT into a folder that it may not change",
        "transfers.move-to-missing-folder": "nginx makes the missing folders of a MOVE",
    ]

    private static let lighttpd: [ConformanceCheck.ID: String] = [
        "overwriting.copy-file-on-folder": intoFolder,
        "overwriting.move-file-on-folder": intoFolder,
        "situations.full-copy": "lighttpd's copy of a file is a hard link, which takes no room",
        "situations.unreadable-folder": emptyFolder,
        "situations.unwritable-folder": "lighttpd answers 500 to a PUT into a folder that it may not change",
    ]

    private static let wsgidav: [ConformanceCheck.ID: String] = [
        "situations.full-write": "WsgiDAV answers 500 when its disk is full",
        "situations.full-overwrite": "WsgiDAV answers 500 when its disk is full",
        "situations.full-copy": "WsgiDAV answers 500 when its disk is full",
    ]

    private static let rclone: [ConformanceCheck.ID: String] = [
        "situations.unreadable-folder": emptyFolder,
        "situations.unwritable-folder": "rclone answers 405 to a PUT into a folder that it may not change",
    ]

    private static let intoFolder = "lighttpd puts a file that goes onto a folder into it, whatever Overwrite says"
    private static let hiddenNames = "nginx lists no name that begins with a dot"
    private static let emptyFolder = "a folder that the server may not read looks empty in its answer"
}
