import FerryTestKit
import FerryTestServers

/// What the real servers can't do, and so no provider on them: rules with the reason.
///
/// The suite fails when a rule in here is kept after all, so that this list stays true.
enum FTPDeviations {
    /// The rules that a server is known to break.
    static func of(_ way: FTPServerWay) -> [ConformanceCheck.ID: String] {
        let own: [ConformanceCheck.ID: String] =
            switch way.kind {
            case .vsftpd, .pureftpd: [:]
            case .proftpd:
                [
                    "names.folder-ascii-punctuation": "it makes no folder with an asterisk in its name",
                    "names.folder-shell": "it makes no folder with an asterisk in its name",
                ]
            case .pyftpdlib:
                [
                    "names.file-not-utf-8": "it puts U+FFFD in the place of bytes that are not UTF-8",
                    "names.folder-not-utf-8": "it puts U+FFFD in the place of bytes that are not UTF-8",
                ]
            }
        return own.merging(everywhere) { own, _ in own }
    }

    /// What a server keeps when it happens to be asked in between.
    static let occasional: Set<ConformanceCheck.ID> = ["monitoring.order"]

    private static let everywhere: [ConformanceCheck.ID: String] = [
        "monitoring.order": "no server tells of changes: what is made and removed between two questions is never seen"
    ]
}
