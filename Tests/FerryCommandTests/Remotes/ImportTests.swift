import Foundation
import Testing

@testable import FerryCommand

@Suite("An rclone.conf is taken over")
struct ImportTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("a password that rclone obscured is revealed")
    func reveal() {
        // Made by `rclone obscure` (1.60.1): the first 16 bytes are by chance.
        #expect(RcloneObscured.reveal("yt4UFYeAWm8fEsWzGFOMBTKa7hlUT40") == "hunter2")
        #expect(RcloneObscured.reveal("yt4UFYeAWm8fEsWzGFOM") == nil)
        #expect(RcloneObscured.reveal("not base64!") == nil)
        #expect(RcloneObscured.reveal("") == nil)
    }

    @Test("WebDAV remotes come with user and password; what can't be taken over is told")
    func imported() async throws {
        try sandbox.make(
            "rclone.conf",
            """
            # by hand
            [files]
            type = webdav
            url = https://files.example.org/dav
            vendor = other
            user = bob
            pass = yt4UFYeAWm8fEsWzGFOMBTKa7hlUT40

            [token]
            type = webdav
            url = https://token.example.org/
            bearer_token = t0ken

            [part]
            type = alias
            remote = files:a b/c

            [here]
            type = local
            [photos]
            type = drive
            scope = drive

            """
        )
        let outcome = try await sandbox.ferry("remote", "import", "rclone.conf")
        #expect(
            outcome.errors == """
                files: imported
                token: imported
                part: imported
                here: skipped, it is this machine, whose paths need no remote
                ferry: photos: rclone's type 'drive' is not supported yet, it was skipped

                """
        )
        #expect(outcome.code == 1)
        #expect(
            try await sandbox.ferry("remote", "list").output == """
                files  webdav  https://files.example.org/dav (bob)
                part   webdav  https://files.example.org/dav/a%20b/c/ (bob)
                token  webdav  https://token.example.org/

                """
        )
        let secrets = String(
            decoding: FileManager.default.contents(atPath: sandbox.secretsFile) ?? Data(),
            as: UTF8.self
        )
        #expect(secrets.contains(#""password":"hunter2""#) && secrets.contains(#""token":"t0ken""#))
        let again = try await sandbox.ferry("remote", "import", "rclone.conf", "files", "gone")
        #expect(again.errors.contains("ferry: gone: there is no such remote in rclone.conf"))
        #expect(again.errors.contains("ferry: files: there is a remote of this name already"))
    }

    @Test("a file that was written on another system: byte order mark, CRLF, spaces at the ends of lines")
    func fromElsewhere() async throws {
        try sandbox.make(
            "rclone.conf",
            "\u{FEFF}[files] \r\ntype = webdav  \r\nurl = https://files.example.org/dav \r\nuser = bob\t\r\n\r\n"
        )
        let outcome = try await sandbox.ferry("remote", "import", "rclone.conf")
        #expect(outcome.code == 0, "\(outcome)")
        let list = try await sandbox.ferry("remote", "list")
        #expect(list.output == "files  webdav  https://files.example.org/dav (bob)\n")
    }

    @Test("an encrypted file, a missing one, and one that is something else", arguments: ["enc", "gone", "other"])
    func unusable(_ name: String) async throws {
        try sandbox.make("enc", "# Encrypted rclone configuration File\n\nRCLONE_ENCRYPT_V0:\nabc=\n")
        try sandbox.make("other", "hello\n")
        let outcome = try await sandbox.ferry("remote", "import", name)
        let words = [
            "enc": "ferry: enc: the file is encrypted, write it in plain", "gone": "ferry: gone: no such file",
            "other": "ferry: other:1: not a line of an rclone.conf",
        ]
        #expect(outcome.errors.hasPrefix(words[name] ?? "?"), "\(outcome)")
        #expect(outcome.code == 1)
    }
}
