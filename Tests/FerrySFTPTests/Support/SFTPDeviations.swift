import FerryTestKit
import Foundation

/// What servers do differently, one line each.
enum SFTPDeviations {
    /// proftpd's mod_sftp.
    static let proftpd: [ConformanceCheck.ID: String] = [:]

    /// OpenSSH, confined to a folder where root runs the tests.
    ///
    /// Else it follows links as any program of the user does.
    static let confined: [ConformanceCheck.ID: String] =
        geteuid() == 0
        ? [:]
        : [
            "confinement.link-up": "the server follows links wherever they lead",
            "confinement.absolute-link": "the server follows links wherever they lead",
            "confinement.remove-through-link": "the server follows links wherever they lead",
        ]
}
