import FerryCloudLab
import Foundation
import Testing

/// The command at the emulated OneDrive of ``CloudLab``; the service itself can't be had in a test.
@Suite("A remote at OneDrive")
struct OneDriveTests {
    let sandbox: Sandbox

    /// A lab whose clock is this machine's, since undo looks for what was removed by the time.
    private static let options: CloudLab.Options = {
        var options = CloudLab.Options()
        options.clock = .running()
        return options
    }()

    init() throws {
        sandbox = try Sandbox()
    }

    /// Makes the remote `o` at a lab, without a login.
    private func add(_ lab: CloudLab, _ more: String = "") async throws {
        let graph = lab.graph
        let outcome = try await sandbox.bash(
            """
            ferry remote add o --type onedrive --client-id app --option graph-url=\(graph.graphURL) \
            --option token-url=\(graph.tokenURL) --option authorization-url=\(graph.authorizationURL) \
            --option device-url=\(graph.deviceCodeURL) \(more)
            """
        )
        #expect(outcome.errors == "o: is there; log in with 'ferry remote login o'\n", "\(outcome)")
    }

    /// Logs in with a token, alone or as rclone keeps it.
    private func logIn(_ text: String) async throws {
        let outcome = try await sandbox.bash("ferry remote login o --token-stdin", input: text)
        #expect(outcome.code == 0 && outcome.errors == "o: logged in\n", "\(outcome)")
    }

    @Test("a tree goes up, comes back the same, is synchronised, moved and brought back by undo")
    func tree() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let early = try await sandbox.ferry("ls", "o:")
            #expect(early.code == 1 && early.errors.hasSuffix("log in with 'ferry remote login o'\n"), "\(early)")
            try await logIn(lab.graph.makeAccessToken())
            let outcome = try await sandbox.bash(
                """
                mkdir -p t/sub; for n in 1 2 3 4 5 6 7 8 9; do echo $n > "t/f$n"; done; echo deep > 't/sub/ä ö.txt'
                touch -d 2020-01-02T03:04:05Z t/* t/sub/*
                ferry cp -r t o:T 2>/dev/null; ferry ls o:T | wc -l; ferry check --checksum t o:T; echo "check $?"
                ferry cp -r o:T back 2>/dev/null; diff -r t back && echo same
                stat -c %Y back/f1 't/sub/ä ö.txt' | sort -u
                rm t/f9; echo changed > t/f1; ferry sync t o:T >/dev/null 2>&1; ferry cat o:T/f1; ferry ls o:T | wc -l
                ferry mv o:T/f2 o:T/moved; ferry rm -r o:T/sub; ferry rm o:T/f3
                ferry undo --any; ferry undo --any; ferry undo --any
                ferry cat 'o:T/sub/ä ö.txt' o:T/f2 o:T/f3; ferry check t o:T
                """
            )
            #expect(
                outcome.lines == [
                    "10", "10 files the same, 0 differences", "check 0", "same", "1577934245", "changed", "9",
                    "undone: rm o:T/f3", "undone: rm -r o:T/sub", "undone: mv o:T/f2 o:T/moved", "deep", "2", "3",
                    "9 files the same, 0 differences",
                ],
                "\(outcome)"
            )
        }
    }

    @Test("what replaced a file is taken back by undo, though the service tells versions by its own clock")
    func replaced() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.graph.makeAccessToken())
            let outcome = try await sandbox.bash(
                """
                echo first > a; touch -d 2020-01-02T03:04:05Z a; ferry cp a o: 2>/dev/null
                echo second > a; touch -d 2021-01-02T03:04:05Z a; ferry cp --overwrite a o: 2>/dev/null
                ferry cat o:a; ferry undo --any; ferry cat o:a
                """
            )
            #expect(outcome.lines.first == "second" && outcome.lines.last == "first", "\(outcome)")
        }
    }

    @Test("the browser's login brings tokens, which are renewed and replaced when the access token has ended")
    func browser() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let login = try await sandbox.bash(
                """
                mkdir -p bin; printf '#!/bin/sh\\nexec curl -sL -o page.html "$1"\\n' > bin/xdg-open
                chmod +x bin/xdg-open; PATH=$PWD/bin:$PATH DISPLAY=:77 ferry remote login o
                """
            )
            #expect(login.code == 0 && login.errors.hasSuffix("o: logged in\n"), "\(login)")
            #expect(login.errors.contains("offline_access") && login.errors.contains("code_challenge="), "\(login)")
            #expect(try await sandbox.bash("echo x | ferry write o:a; ferry cat o:a").output == "x\n")
            // Twice, since each renewal ends the token that it was made with.
            for _ in 0..<2 {
                lab.graph.expireAccessTokens()
                let later = try await sandbox.bash("ferry cat o:a")
                #expect(later.output == "x\n" && later.errors.isEmpty, "\(later)")
            }
            lab.graph.revokeTokens(of: lab.graph.account)
            let revoked = try await sandbox.bash("ferry cat o:a")
            #expect(revoked.code == 1 && revoked.output.isEmpty, "\(revoked)")
        }
    }

    @Test("a login on another device waits until the person agrees")
    func device() async throws {
        var options = Self.options
        options.graph.devicePolls = 0
        try await withCloudLab(options) { lab in
            try await add(lab)
            let login = try await sandbox.ferry("remote", "login", "o", "--device")
            #expect(login.code == 0 && login.errors.hasSuffix("o: logged in\n"), "\(login)")
            #expect(login.errors.hasPrefix("open http") && login.errors.contains("type the code "), "\(login)")
            #expect(try await sandbox.ferry("ls", "o:").code == 0)
        }
    }

    @Test("rclone's token and section, pasted or imported, work, and are renewed by the app that they name")
    func rclone() async throws {
        try await withCloudLab(Self.options) { lab in
            try lab.graph.account.storage.write(Data("hello\n".utf8), to: "/greeting")
            let refresh = lab.graph.makeRefreshToken()
            let token =
                #"{"access_token":"ended","token_type":"bearer","refresh_token":"\#(refresh)","#
                + #""expiry":"2020-01-02T03:04:05.123456789+01:00"}"#
            try await add(lab)
            try await logIn(token)
            #expect(try await sandbox.bash("ferry cat o:greeting").output == "hello\n")
            try sandbox.make(
                "rclone.conf",
                """
                [drive]
                type = onedrive
                client_id = app
                drive_id = \(lab.graph.account.driveID)
                drive_type = personal
                hard_delete = true
                token = \(token)
                [own]
                type = onedrive
                token = \(token)
                """
            )
            let imported = try await sandbox.bash(
                "ferry remote import rclone.conf; ferry remote list; ferry remote show drive"
            )
            #expect(imported.code == 0 && imported.output.contains(lab.graph.account.driveID), "\(imported)")
            #expect(imported.output.contains("hard-delete"), "\(imported)")
            #expect(imported.errors.contains("own: imported, its token was issued to rclone's own app"), "\(imported)")
        }
    }

    @Test("links, versions, the recycle bin and the self-test say what the drive can do")
    func abilities() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.graph.makeAccessToken())
            let outcome = try await sandbox.bash(
                """
                for text in one second; do echo $text > a.txt; ferry cp --overwrite a.txt o: 2>/dev/null; done
                ferry link create o:a.txt > url; cut -c1-8 url; ferry link list o:a.txt | wc -l
                ferry versions list o:a.txt --json | jq -r .size | head -1
                id=$(ferry versions list o:a.txt --json | jq -r .id | head -1)
                ferry versions cat o:a.txt "$id"
                ferry trash put o:a.txt 2>/dev/null; ferry ls o: | grep -c a.txt; ferry trash list o:; echo "code $?"
                """
            )
            #expect(outcome.lines.prefix(3) == ["https://", "1", "4"], "\(outcome)")
            #expect(outcome.lines.contains("one") && outcome.lines.suffix(2) == ["0", "code 1"], "\(outcome)")
            #expect(outcome.errors.contains("not possible here, open the recycle bin in a browser"), "\(outcome)")
            let test = try await sandbox.ferry("remote", "test", "o")
            #expect(test.code == 0 && test.output.contains("✓ public links"), "\(test)")
            #expect(!test.output.contains(lab.graph.account.email), "\(test)")
        }
    }

    @Test("a watch tells of what others do")
    func watch() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.graph.makeAccessToken())
            try lab.graph.account.storage.makeFolder(at: "/in")
            let outcome = try await sandbox.bash(
                """
                set -m; "$FERRY" watch o:in >out 2>err & pid=$!
                trap 'kill $pid 2>/dev/null' EXIT
                until_said() {  # for five minutes, which guards against hanging only
                    for try in {1..15000}; do
                        if grep -q -e "$1" out err || ! kill -0 $pid 2>/dev/null; then return; fi
                        sleep 0.02
                    done
                    cat out err; exit 99
                }
                until_said watching; echo x | ferry write o:in/a; until_said created; ferry rm o:in/a
                until_said removed; cat out
                """
            )
            #expect(outcome.lines.first == "created     o:in/a", "\(outcome)")
            #expect(outcome.lines.contains("removed     o:in/a"), "\(outcome)")
        }
    }

    @Test("a library of a site is a remote of its own, named by the site's address")
    func site() async throws {
        try await withCloudLab(Self.options) { lab in
            let site = lab.graph.makeSite(name: "Team", path: "sites/team")
            try site.storage.write(Data("hello\n".utf8), to: "/greeting")
            try await add(lab, "--option site=https://\(site.hostName)/\(site.path)")
            try await logIn(lab.graph.makeAccessToken())
            #expect(try await sandbox.ferry("cat", "o:greeting").output == "hello\n")
            #expect(lab.graph.account.storage.entries.isEmpty)
        }
    }

    @Test("an upload that was killed goes on where the service has confirmed it")
    func killed() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.graph.makeAccessToken())
            lab.faults.add(.delay(.seconds(3_600)), route: "fragment", skipping: 2)
            try await sandbox.kill("cp big o:", after: "head -c 60000000 /dev/urandom > big") { lab.faults.isEmpty }
            let confirmed = lab.journal.exchanges(route: "fragment").reduce(0) {
                $0 + ($1.status == 202 ? $1.requestBytes : 0)
            }
            #expect(confirmed > 0)
            lab.journal.removeAll()
            let outcome = try await sandbox.bash(
                "ferry cp big o: >&2; ferry cat o:big | cmp - big && echo same; ferry ls o:"
            )
            #expect(outcome.output == "same\nbig\n", "\(outcome)")
            // A request without an answer may have been cut when the process was killed.
            let sent = lab.journal.exchanges.reduce(0) { $0 + ($1.status == nil ? 0 : $1.requestBytes) }
            // Requests have some bytes beside the contents.
            #expect(sent < 60_000_000 - confirmed + 20_000, "\(sent) after \(confirmed)")
            #expect(lab.journal.exchanges(route: "createUploadSession").isEmpty)
        }
    }

    @Test("errors are those of the table with the service's words, and nothing is lost")
    func errors() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let wrong = try await sandbox.bash("ferry remote login o --token-stdin", input: "no-such-token")
            #expect(wrong.code == 1 && wrong.errors.contains("the server refused the token"), "\(wrong)")
            try await logIn(lab.graph.makeAccessToken())
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(1)), route: "children", count: 1)
            try lab.graph.makePackage(at: "/Notes")
            let outcome = try await sandbox.bash(
                """
                echo old > a; ferry cp a o: 2>/dev/null; echo new > a
                ferry cp a o:; echo "code $?"; ferry cat o:a; ferry cat o:nothing; echo "code $?"
                ferry cat o:Notes; echo "code $?"; ferry ls o:
                """
            )
            #expect(outcome.lines == ["code 1", "old", "code 1", "code 1", "a", "Notes"], "\(outcome)")
            #expect(outcome.errors.contains("only its own app opens"), "\(outcome)")
        }
    }
}

/// The path of rclone 1.75, from `FERRY_RCLONE`.
private let newRclone = ProcessInfo.processInfo.environment["FERRY_RCLONE"].flatMap {
    FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil
}

/// Another program at the same drive: rclone, whose hosts are fixed, by way of the lab's proxy.
///
/// `FERRY_RCLONE` is the path of rclone 1.75: version 1.60 sends the login to addresses of uploads, which the service
/// refuses.
@Suite(
    "Ferry and rclone understand each other at OneDrive",
    .enabled(if: newRclone != nil, "rclone 1.75 isn't here: set FERRY_RCLONE")
)
struct OneDriveRcloneTests {
    /// Names of which some need an encoding.
    private static let names = [
        "plain", "two words", "ä ö", "日本", "per%cent", "per%20cent", "semi;colon", "quo'te", "quo\"te", "hash#", "ask?",
        "star*", "colon:", "less<", "pipe|", "back\\slash", "end space ", "dot.", "😀",
    ]

    @Test("each reads what the other writes, with names, contents, hashes and dates")
    func cross() async throws {
        let program = try #require(newRclone)
        let sandbox = try Sandbox()
        var options = CloudLab.Options()
        options.clock = .running()
        // rclone takes an empty page for the last one.
        options.graph.hasEmptyPages = false
        try await withCloudLab(options) { lab in
            let proxy = try await lab.startProxy()
            let token = #"{"access_token":"\#(lab.graph.makeAccessToken())","expiry":"2099-01-01T00:00:00Z"}"#
            try sandbox.make("ca.pem", proxy.certificatePEM)
            try sandbox.make(
                "rclone.conf",
                """
                [drive]
                type = onedrive
                client_id = app
                client_secret = secret
                drive_id = \(lab.graph.account.driveID)
                drive_type = personal
                token = \(token)

                """
            )
            try sandbox.make("names", Self.names.joined(separator: "\n") + "\n")
            let outcome = try await sandbox.bash(
                """
                ferry remote add o --type onedrive --option graph-url=\(lab.graph.graphURL) 2>/dev/null
                echo '\(token)' | ferry remote login o --token-stdin 2>/dev/null
                rclone() {
                    HTTPS_PROXY=\(proxy.url) HTTP_PROXY=\(proxy.url) NO_PROXY= SSL_CERT_FILE=$PWD/ca.pem \
                        '\(program)' --config rclone.conf --retries 1 "$@"
                }
                mkdir -p own/sub
                while IFS= read -r name; do echo "about $name" > "own/$name"; done < names
                head -c 300000 /dev/urandom > own/sub/big; touch -d 2021-02-03T04:05:06Z own/* own/sub/*
                ferry cp -r own o:ferry >&2; rclone copy drive:ferry fromferry >&2
                diff -r own fromferry >&2 && echo "rclone reads"
                rclone copy own drive:rclone >&2; ferry cp -r o:rclone fromrclone >&2
                diff -r own fromrclone >&2 && echo "ferry reads"
                rclone check own drive:ferry 2>&1 | grep -c ' 0 differences found'
                ferry check --checksum own o:rclone
                for tree in fromferry fromrclone; do find $tree -type f -printf '%TY%Tm%Td %TH%TM%.2TS\\n' | sort -u; done
                """
            )
            await proxy.stop()
            #expect(
                outcome.lines == [
                    "rclone reads", "ferry reads", "1", "20 files the same, 0 differences", "20210203 040506",
                    "20210203 040506",
                ],
                "\(outcome)"
            )
        }
    }
}
