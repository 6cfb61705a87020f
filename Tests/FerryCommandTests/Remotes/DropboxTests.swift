import FerryCloudLab
import Foundation
import Testing

/// The command at the emulated Dropbox of ``CloudLab``; the service itself can't be had in a test.
@Suite("A remote at Dropbox")
struct DropboxTests {
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

    /// Makes the remote `d` at a lab, without a login.
    private func add(_ lab: CloudLab) async throws {
        let dropbox = lab.dropbox
        let outcome = try await sandbox.bash(
            """
            ferry remote add d --type dropbox --client-id \(dropbox.settings.appKey ?? "app") \
            --option api-url=\(dropbox.apiURL) --option content-url=\(dropbox.contentURL) \
            --option notify-url=\(dropbox.notifyURL) --option token-url=\(dropbox.tokenURL) \
            --option authorization-url=\(dropbox.authorizationURL) --option redirect-port=0
            """
        )
        #expect(outcome.errors == "d: is there; log in with 'ferry remote login d'\n", "\(outcome)")
    }

    /// Logs in with a token, alone or as rclone keeps it.
    private func logIn(_ text: String) async throws {
        let outcome = try await sandbox.bash("ferry remote login d --token-stdin", input: text)
        #expect(outcome.code == 0 && outcome.errors == "d: logged in\n", "\(outcome)")
    }

    @Test("a tree goes up, comes back the same, is synchronised, moved and brought back by undo")
    func tree() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let early = try await sandbox.ferry("ls", "d:")
            #expect(early.errors == "ferry: nobody is logged in at dropbox, log in with 'ferry remote login d'\n")
            try await logIn(lab.dropbox.makeAccessToken())
            let outcome = try await sandbox.bash(
                """
                mkdir -p t/sub; for n in 1 2 3 4 5 6 7 8 9; do echo $n > "t/f$n"; done; echo deep > 't/sub/ä ö.txt'
                touch -d 2020-01-02T03:04:05Z t/* t/sub/*
                ferry cp -r t d:T 2>/dev/null; ferry ls d:T | wc -l; ferry check --download t d:T; echo "check $?"
                ferry cp -r d:T back 2>/dev/null; diff -r t back && echo same
                stat -c %Y back/f1 't/sub/ä ö.txt' | sort -u
                rm t/f9; echo changed > t/f1; ferry sync t d:T >/dev/null 2>&1; ferry cat d:T/f1; ferry ls d:T | wc -l
                ferry mv d:T/f2 d:T/moved; ferry rm -r d:T/sub; ferry rm d:T/f3
                ferry undo --any; ferry undo --any; ferry undo --any
                ferry cat 'd:T/sub/ä ö.txt' d:T/f2 d:T/f3; ferry check t d:T
                """
            )
            #expect(
                outcome.lines == [
                    "10", "10 files the same, 0 differences", "check 0", "same", "1577934245", "changed", "9",
                    "undone: rm d:T/f3", "undone: rm -r d:T/sub", "undone: mv d:T/f2 d:T/moved", "deep", "2", "3",
                    "9 files the same, 0 differences",
                ],
                "\(outcome)"
            )
        }
    }

    @Test("the browser's login brings tokens, which are renewed when the access token has ended")
    func browser() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let login = try await sandbox.bash(
                """
                mkdir -p bin; printf '#!/bin/sh\\nexec curl -sL -o page.html "$1"\\n' > bin/xdg-open
                chmod +x bin/xdg-open; PATH=$PWD/bin:$PATH DISPLAY=:77 ferry remote login d
                """
            )
            #expect(login.code == 0 && login.errors.hasSuffix("d: logged in\n"), "\(login)")
            #expect(login.errors.contains("token_access_type=offline") && login.errors.contains("code_challenge="))
            #expect(try await sandbox.bash("echo x | ferry write d:a; ferry cat d:a").output == "x\n")
            lab.dropbox.expireAccessTokens()
            let later = try await sandbox.bash("ferry cat d:a")
            #expect(later.output == "x\n" && later.errors.isEmpty, "\(later)")
            lab.dropbox.revokeTokens(of: lab.dropbox.account)
            let revoked = try await sandbox.bash("ferry cat d:a")
            #expect(revoked.code == 1 && revoked.output.isEmpty, "\(revoked)")
        }
    }

    @Test("rclone's token, pasted or imported, works and is renewed by the app that it names")
    func rclone() async throws {
        try await withCloudLab(Self.options) { lab in
            try lab.dropbox.account.storage.write(Data("hello\n".utf8), to: "/greeting")
            let refresh = lab.dropbox.makeRefreshToken()
            let token =
                #"{"access_token":"ended","token_type":"bearer","refresh_token":"\#(refresh)","#
                + #""expiry":"2020-01-02T03:04:05.123456789+01:00"}"#
            try await add(lab)
            try await logIn(token)
            #expect(try await sandbox.bash("ferry cat d:greeting").output == "hello\n")
            try sandbox.make(
                "rclone.conf",
                """
                [box]
                type = dropbox
                client_id = \(lab.dropbox.settings.appKey ?? "app")
                token = \(token)
                [own]
                type = dropbox
                token = \(token)
                """
            )
            let imported = try await sandbox.bash("ferry remote import rclone.conf; ferry remote list")
            #expect(imported.code == 0 && imported.lines.count == 3, "\(imported)")
            #expect(imported.errors.contains("own: imported, its token was issued to rclone's own app"), "\(imported)")
        }
    }

    @Test("a token stays with the servers that it was given for")
    func elsewhere() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.dropbox.makeAccessToken())
            let outcome = try await sandbox.bash(
                """
                ferry remote add d --force --type dropbox --option api-url=http://127.0.0.1:1 2>/dev/null
                ferry remote show d --json | jq .hasPassword; ferry ls d:; echo "code $?"
                ferry remote add e --type dropbox --option api-url=http://example.org; echo "code $?"
                ferry remote add f --type dropbox --option path-root=home --option search-index=true 2>&1
                """
            )
            #expect(outcome.lines == ["false", "code 1", "code 1", "f: is there; log in with 'ferry remote login f'"])
            #expect(outcome.errors.contains("nobody is logged in") && outcome.errors.contains("a URL of https"))
        }
    }

    @Test("an upload that was killed goes on where Dropbox has confirmed it")
    func killed() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            try await logIn(lab.dropbox.makeAccessToken())
            let route = "files/upload_session/append_v2"
            lab.faults.add(.delay(.seconds(3_600)), route: route, skipping: 2)
            try await sandbox.kill("cp big d:", after: "head -c 60000000 /dev/urandom > big") { lab.faults.isEmpty }
            let confirmed = lab.journal.exchanges(route: route).reduce(0) {
                $0 + ($1.status == 200 ? $1.requestBytes : 0)
            }
            #expect(confirmed > 0)
            lab.journal.removeAll()
            let outcome = try await sandbox.bash(
                "ferry cp big d: >&2; ferry cat d:big | cmp - big && echo same; ferry ls d:"
            )
            #expect(outcome.output == "same\nbig\n", "\(outcome)")
            // A request without an answer may have been cut when the process was killed.
            let sent = lab.journal.exchanges.reduce(0) { $0 + ($1.status == nil ? 0 : $1.requestBytes) }
            // Requests have some bytes beside the contents.
            #expect(sent < 60_000_000 - confirmed + 20_000, "\(sent) after \(confirmed)")
        }
    }

    @Test("errors are those of the table with Dropbox's words, and nothing is lost")
    func errors() async throws {
        try await withCloudLab(Self.options) { lab in
            try await add(lab)
            let wrong = try await sandbox.bash("ferry remote login d --token-stdin", input: "no-such-token")
            #expect(wrong.code == 1 && wrong.errors.contains("the server refused the token"), "\(wrong)")
            try await logIn(lab.dropbox.makeAccessToken())
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(1)), route: "files/list_folder", count: 1)
            let outcome = try await sandbox.bash(
                """
                echo old > a; ferry cp a d: 2>/dev/null; echo new > a
                ferry cp a d:; echo "code $?"; ferry cat d:a; ferry cat d:nothing; echo "code $?"; ferry ls d:
                """
            )
            #expect(outcome.lines == ["code 1", "old", "code 1", "a"], "\(outcome)")
        }
    }
}

/// Another program at the same account: rclone, whose hosts are fixed, by way of the lab's proxy.
@Suite("Ferry and rclone understand each other at Dropbox")
struct DropboxRcloneTests {
    /// Names of which some need an encoding.
    private static let names = [
        "plain", "two words", "ä ö", "日本", "per%cent", "per%20cent", "semi;colon", "quo'te", "quo\"te", "hash#", "ask?",
        "star*", "colon:", "less<", "pipe|", "back\\slash", "end space ", "dot.", "😀",
    ]

    @Test("each reads what the other writes, with names, contents and dates")
    func cross() async throws {
        let sandbox = try Sandbox()
        var options = CloudLab.Options()
        options.clock = .running()
        options.dropbox.acceptsUTF8Headers = true
        try await withCloudLab(options) { lab in
            let proxy = try await lab.startProxy()
            let token = #"{"access_token":"\#(lab.dropbox.makeAccessToken())","expiry":"2099-01-01T00:00:00Z"}"#
            try sandbox.make("ca.pem", proxy.certificatePEM)
            try sandbox.make("rclone.conf", "[box]\ntype = dropbox\ntoken = \(token)\n")
            try sandbox.make("names", Self.names.joined(separator: "\n") + "\n")
            let dropbox = lab.dropbox
            let outcome = try await sandbox.bash(
                """
                ferry remote add d --type dropbox --option api-url=\(dropbox.apiURL) \
                    --option content-url=\(dropbox.contentURL) --option notify-url=\(dropbox.notifyURL) 2>/dev/null
                echo '\(token)' | ferry remote login d --token-stdin 2>/dev/null
                rclone() {
                    HTTPS_PROXY=\(proxy.url) command rclone --config rclone.conf --ca-cert ca.pem --retries 1 "$@"
                }
                mkdir -p own/sub
                while IFS= read -r name; do echo "about $name" > "own/$name"; done < names
                head -c 300000 /dev/urandom > own/sub/big; touch -d 2021-02-03T04:05:06Z own/* own/sub/*
                ferry cp -r own d:ferry >&2; rclone copy box:ferry fromferry >&2
                diff -r own fromferry >&2 && echo "rclone reads"
                rclone copy own box:rclone >&2; ferry cp -r d:rclone fromrclone >&2
                diff -r own fromrclone >&2 && echo "ferry reads"
                rclone check own box:ferry 2>&1 | grep -c ' 0 differences found'
                ferry check --checksum own d:rclone
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
