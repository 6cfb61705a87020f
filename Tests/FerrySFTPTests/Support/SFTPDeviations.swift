import FerryTestKit
import Foundation

/// The deviations of servers, one line each.
enum SFTPDeviations {
    /// The deviations that come of the program that makes the line.
    private static let ssh: [ConformanceCheck.ID: String] = [
        "situations.senseless": "ssh passes over what is said before SSH's greeting, and then sees the line end"
    ]

    /// proftpd's mod_sftp.
    static let proftpd = ssh.merging([
        "links.text": "the server makes the text of a link an absolute path",
        "links.listing": "the server describes a link as what it leads to, and makes its text an absolute path",
        "links.moving": "the server describes a link as what it leads to",
        "links.copying": "the server describes a link as what it leads to",
    ]) { first, _ in first }

    /// OpenSSH, confined to a folder where root runs the tests.
    ///
    /// Else it follows links as any program of the user does.
    static let confined: [ConformanceCheck.ID: String] =
        geteuid() == 0
        ? ssh
        : ssh.merging([
            "confinement.link-up": "the server follows links wherever they lead",
            "confinement.absolute-link": "the server follows links wherever they lead",
            "confinement.remove-through-link": "the server follows links wherever they lead",
        ]) { first, _ in first }
}
