import FerryTestKit
import FerryTestServers

/// The rules that real servers can't keep, and so no provider on them, each with the reason.
///
/// The suite fails when a rule in here is kept after all, so that this list stays true.
enum FTPDeviations {
    /// The rules that a server is known to break.
    static func of(_ way: FTPServerWay) -> [ConformanceCheck.ID: String] {
        let own: [ConformanceCheck.ID: String] =
            switch way.kind {
            case .vsftpd: [:]
            case .pureftpd:
                [
                    "names.file-ascii-punctuation": backslash, "names.folder-ascii-punctuation": backslash,
                    "names.file-backslash": backslash, "names.folder-backslash": backslash,
                    "names.file-only-a-space": space, "names.folder-only-a-space": space,
                    "names.file-trailing-space": space, "names.folder-trailing-space": space,
                    "situations.full-write": broken, "situations.full-overwrite": broken,
                    "situations.full-copy": broken,
                ]
            case .proftpd:
                [
                    "names.folder-ascii-punctuation": "it makes no folder with an asterisk in its name",
                    "names.folder-shell": "it makes no folder with an asterisk in its name",
                ]
            case .pyftpdlib:
                [
                    "names.file-not-utf-8": "it puts U+FFFD in the place of bytes that are not UTF-8",
                    "names.folder-not-utf-8": "it puts U+FFFD in the place of bytes that are not UTF-8",
                    "situations.full-write": silent, "situations.full-overwrite": silent,
                    "situations.full-copy": silent,
                ]
            }
        return own.merging(everywhere) { own, _ in own }
    }

    private static let backslash = "it takes no backslash in a name"
    private static let space = "it takes a space at a name's end for an underscore, so we don't use such names"
    private static let broken = "it breaks the data connection of a full disk before it says why"
    private static let silent = "it answers nothing any more when the disk is full"

    /// The rules that a server keeps when it happens to be asked in between.
    static let occasional: Set<ConformanceCheck.ID> = ["monitoring.order"]

    private static let everywhere: [ConformanceCheck.ID: String] = [
        "monitoring.order": "no server tells of changes: what is made and removed between two questions is never seen"
    ]
}
