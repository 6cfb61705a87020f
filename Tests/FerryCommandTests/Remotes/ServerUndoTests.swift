import FerryTestServers
import Foundation
import Testing

@Suite("What the command has done on a server can be taken back")
struct ServerUndoTests {
    /// A server that the remote `w` is on.
    enum Kind: String, CaseIterable, Sendable {
        /// The stand-in for a Nextcloud: versions and a trash.
        case nextcloud
        /// A real Apache, which keeps nothing.
        case apache
    }

    /// A sandbox with a remote called `w`.
    private final class Stage: Sendable {
        let sandbox: Sandbox
        let nextcloud: NextcloudServer?
        let served: ServedSandbox?

        init(_ kind: Kind) async throws {
            switch kind {
            case .nextcloud:
                sandbox = try Sandbox()
                let server = try await NextcloudServer.start()
                nextcloud = server
                served = nil
                let outcome = try await sandbox.ferry(
                    [
                        "remote", "add", "w", "--type", "nextcloud", "--url", server.url.absoluteString, "--user",
                        "alice",
                    ],
                    password: "secret"
                )
                try #require(outcome.code == 0, "\(outcome)")
            case .apache:
                let served = try await ServedSandbox(.apache)
                self.served = served
                sandbox = served.sandbox
                nextcloud = nil
            }
        }

        /// Requests so far.
        var requestCount: Int {
            get throws { try nextcloud?.requests.count ?? served?.place.requests().count ?? 0 }
        }

        /// How many requests a script needs.
        func requests(of script: String) async throws -> Int {
            let before = try requestCount
            let outcome = try await sandbox.bash("export FERRY_LOG=trace; " + script)
            #expect(outcome.code == 0, "\(script): \(outcome)")
            // Apache writes its log after it has answered.
            let answered = outcome.errors.split(separator: "\n").count { $0.hasPrefix("trace: answered ") }
            try await until("all requests are in the log") { try requestCount >= before + answered }
            return try requestCount - before
        }

        func stop() async { await nextcloud?.stop() }
    }

    /// Returns what is on both sides: names, contents, and of the remote the dates where it keeps them.
    private static func look(_ kind: Kind) -> String {
        """
        look() { rm -rf ../far; FERRY_HISTORY=off ferry cp -r w: ../far 2>/dev/null || echo unreadable
        for side in ../far .; do (cd $side; find . -mindepth 1 -printf '%P %y\\n' | sort
        find . -type f -print0 | sort -z | xargs -r -0 sha256sum
        \(kind == .nextcloud ? "find . -type f -printf '%P %TY%Tm%Td%TH%TM%.2TS\\n' | sort" : "true")); done; }

        """
    }

    private static let sample = """
        mkdir -p here/t2/sub here/t3 seed/t/sub seed/u; cd here
        for n in 1 2 3 4 5; do echo old$n > ../seed/t/$n; echo other$n > ../seed/u/$n; echo newer$n > t2/$n; done
        echo deep > ../seed/t/sub/deep; echo stays > ../seed/u/stays; echo o > ../seed/o; : > ../seed/t/empty
        echo deeper > t2/sub/deep; echo z > t3/z; echo single > single; echo full > t2/empty
        head -c 12000000 /dev/zero | tr '\\0' x > big
        find ../seed -type f -exec touch -d 2020-01-02T03:04:05Z {} +; touch -d 2021-02-03T04:05:06Z single t2/* t3/z
        touch -d 2022-03-04T05:06:07Z ../seed/u/*
        FERRY_HISTORY=off ferry cp -r ../seed/t ../seed/u ../seed/o w: 2> ../seeding || { cat ../seeding; exit 90; }

        """

    static let deeds = [
        "ferry cp -f single w:t/1", "ferry cp -r -f t2/. w:t", "ferry cp -f big w:t/1", "ferry cp big w:big",
        "ferry rm w:o", "ferry rm w:t/1 w:t/2 w:t/empty w:u", "ferry rm -r w:t", "ferry mv w:t w:moved",
        "ferry mv -f w:o w:t/1", "ferry cp w:o w:o2", "ferry cp -f w:o w:t/1", "ferry cp -r w:t w:copy",
        "ferry mkdir -p w:new/deep", "ferry cp -r t2 w:fresh", "ferry mv t3 w:arrived", "ferry mv w:t left",
        "ferry sync --max-delete 100% t2 w:t", "echo new | ferry write --overwrite w:o",
        "ferry cp -r -f w:t/. w:u",
    ]

    /// Each on the stand-in, and every third on the real one.
    static let cases =
        deeds.map { (Kind.nextcloud, $0) } + stride(from: 0, to: deeds.count, by: 3).map { (.apache, deeds[$0]) }

    @Test("each of them, and done again", arguments: cases)
    func undoes(_ kind: Kind, _ deed: String) async throws {
        let stage = try await Stage(kind)
        // Whoever removes a folder says so.
        let deed = deed == "ferry rm w:t/1 w:t/2 w:t/empty w:u" ? "ferry rm -r w:t/1 w:t/2 w:t/empty w:u" : deed
        let outcome = try await stage.sandbox.bash(
            Self.look(kind) + Self.sample + """
                look > ../before
                \(deed) > ../out 2>&1 || { cat ../out; exit 1; }
                look > ../after
                cmp -s ../before ../after && { echo "nothing was done"; exit 1; }
                for turn in 1; do
                    ferry undo --any >/dev/null || exit 2
                    look > ../undone; diff ../before ../undone || exit 3
                    ferry redo >/dev/null || exit 4
                    look > ../redone
                    diff <(grep -v ' 20[0-9]*$' ../after) <(grep -v ' 20[0-9]*$' ../redone) || exit 5
                done
                ferry undo --any >/dev/null || exit 6
                look > ../undone; diff ../before ../undone || exit 7
                """
        )
        #expect(outcome.code == 0, "\(outcome)")
        await stage.stop()
    }

    @Test("what somebody else has changed since is not undone, and nothing of the command is", arguments: Kind.allCases)
    func changed(_ kind: Kind) async throws {
        let stage = try await Stage(kind)
        let deeds: [(deed: String, change: String)] = [
            ("ferry cp -r -f t2/. w:t", "echo theirs > x; ferry cp -f x w:t/3"),
            ("ferry cp -f single w:t/1", "echo theirs > x; ferry cp -f x w:t/1"),
            ("ferry rm -r w:t/1 w:u", "echo theirs > x; ferry cp x w:t/1"),
            ("ferry mv w:t w:moved", "ferry mkdir w:t"),
            ("ferry cp -r t2 w:fresh", "echo theirs > x; ferry cp x w:fresh/theirs"),
            ("ferry mkdir w:new", "echo theirs > x; ferry cp x w:new/x"),
            ("ferry cp -r w:t w:copy", "echo theirs > x; ferry cp -f x w:copy/sub/deep"),
        ]
        for (deed, change) in deeds {
            let outcome = try await stage.sandbox.bash(
                Self.look(kind) + "rm -rf here seed far; FERRY_HISTORY=off ferry rm -r w:t w:u w:o 2>/dev/null\n"
                    + Self.sample + """
                        \(deed) > ../out 2>&1 || { cat ../out; exit 1; }
                        export FERRY_HISTORY=off; { \(change); } >/dev/null 2>&1; unset FERRY_HISTORY
                        look > ../before
                        ferry undo --any; echo "code $?"
                        look > ../after; diff ../before ../after || exit 2
                        ferry history clear >/dev/null
                        FERRY_HISTORY=off ferry rm -r w:fresh w:new w:copy w:moved 2>/dev/null; true
                        """
            )
            #expect(outcome.code == 0 && outcome.lines.last == "code 1", "\(deed): \(outcome)")
        }
        await stage.stop()
    }

    @Test("an edit of the same size within the same second is a change, too, before the server is known")
    func changedAtOnce() async throws {
        let stage = try await Stage(.apache)
        let outcome = try await stage.sandbox.bash(
            """
            echo first > a; echo second > b; echo theirs > c
            FERRY_HISTORY=off ferry cp a w:f
            for turn in 1 2 3; do
                # So that the second does not end between the two.
                sleep $(printf '0.%03d' $(((1050 - 10#$(date +%3N)) % 1000)))
                ferry cp -f b w:f; FERRY_HISTORY=off ferry cp -f c w:f
                ferry undo --any; echo "code $?"; ferry cat w:f; ferry history clear >/dev/null
            done
            """
        )
        #expect(outcome.lines == Array(repeating: ["code 1", "theirs"], count: 3).flatMap(\.self), "\(outcome)")
        await stage.stop()
    }

    @Test("what leaves no version, since it has the same date as what replaces it, is kept otherwise")
    func sameDate() async throws {
        let stage = try await Stage(.nextcloud)
        let quick = try await stage.sandbox.bash(
            """
            echo one > x; echo two > y; touch -d 2020-01-02T03:04:05Z x y
            ferry cp x w:g; ferry cp -f y w:g; ferry undo --any; ferry cat w:g
            echo 1 | ferry write w:h; echo 2 | ferry write -f w:h; ferry undo --any; ferry cat w:h
            """
        )
        #expect(quick.lines.count == 4 && quick.lines[1] == "one" && quick.lines[3] == "1", "\(quick)")
        await stage.stop()
    }

    // MARK: - Costs

    /// Makes 1,000 files in ten folders.
    private static let many = """
        mkdir -p d/{0..9}; for n in {0..999}; do echo $n > d/$((n % 10))/$n; done; touch -d 2020-01-02T03:04:05Z d/*/*

        """

    @Test("recording costs next to no requests on a Nextcloud")
    func nextcloudRequests() async throws {
        let stage = try await Stage(.nextcloud)
        _ = try await stage.sandbox.bash(Self.many)
        var counts: [String: [Int]] = [:]
        for (history, name) in [("off", "a"), ("1G", "b")] {
            let set = "export FERRY_HISTORY=\(history); "
            for (what, script) in [
                ("new", "ferry cp -r d w:\(name)"),
                (
                    "over",
                    "touch -d 2021-02-03 d/*/*; ferry cp -r -f d/. w:\(name); touch -d 2020-01-02T03:04:05Z d/*/*"
                ),
                ("single", "ferry cp -f d/0/0 w:\(name)/1/1"), ("mkdir", "ferry mkdir w:\(name)/n"),
                ("mv", "ferry mv w:\(name) w:\(name)2"), ("copy", "ferry cp -r w:\(name)2 w:\(name)3"),
                ("rm", "ferry rm w:\(name)2/0/0 w:\(name)2/0/10"), ("rm -r", "ferry rm -r w:\(name)3"),
                ("sync", "mkdir -p few; ferry sync --max-delete 100% few w:\(name)2"),
            ] {
                counts[what, default: []].append(try await stage.requests(of: set + script))
            }
        }
        for (what, most) in [
            "new": 11, "over": 5, "single": 2, "mkdir": 1, "mv": 2, "copy": 14, "rm": 2, "rm -r": 1, "sync": 4,
        ] {
            let count = try #require(counts[what])
            #expect(count[1] - count[0] <= most, "\(what): \(count)")
        }
        await stage.stop()
    }

    @Test(
        "recording costs no more than a request for each folder on a server that keeps nothing, but for what is replaced"
    )
    func apacheRequests() async throws {
        let stage = try await Stage(.apache)
        _ = try await stage.sandbox.bash(Self.many)
        var counts: [String: [Int]] = [:]
        for (history, name) in [("off", "a"), ("1G", "b")] {
            let set = "export FERRY_HISTORY=\(history); "
            for (what, script) in [
                ("new", "ferry cp -r d w:\(name)"), ("mkdir", "ferry mkdir w:\(name)/n"),
                ("mv", "ferry mv w:\(name) w:\(name)2"), ("copy", "ferry cp -r w:\(name)2 w:\(name)3"),
                ("rm", "ferry rm w:\(name)2/0/0"), ("rm -r", "ferry rm -r w:\(name)3"),
                ("arrive", "cp -r d e; ferry mv e w:\(name)4"),
            ] {
                counts[what, default: []].append(try await stage.requests(of: set + script))
            }
        }
        for (what, most) in ["new": 22, "mkdir": 1, "mv": 2, "copy": 16, "rm": 7, "rm -r": 20, "arrive": 22] {
            let count = try #require(counts[what])
            #expect(count[1] - count[0] <= most, "\(what): \(count)")
        }
    }

    // MARK: - Items set aside on the server

    @Test("what is set aside on a server has its limits, and nobody sees it")
    func bounded() async throws {
        let stage = try await Stage(.apache)
        let served = try #require(stage.served)
        let outcome = try await stage.sandbox.bash(
            """
            mkdir -p t/sub; for n in 1 2 3 4 5; do head -c 3000 /dev/zero > t/$n; done; head -c 9000 /dev/zero > t/sub/large
            ferry cp -r t w: 2>/dev/null
            export FERRY_HISTORY=8K
            ferry rm w:t/1; ferry rm w:t/2; ferry rm w:t/3; ferry rm w:t/4
            ferry ls -a w:; ferry find w:; ferry du w: | tail -1 | wc -l
            ferry sync w: got 2>/dev/null; ls -A got; ferry check w: got; echo "check $?"
            mkdir empty; ferry sync --max-delete 100% empty w:t 2>&1 | grep -c "can't be undone"
            """
        )
        #expect(!outcome.output.contains(".ferry-undo"), "\(outcome)")
        #expect(outcome.lines.contains("check 0") && outcome.lines.last == "1", "\(outcome)")
        let aside = served.place.path(".ferry-undo")
        let names = try FileManager.default.contentsOfDirectory(atPath: aside)
        // Two of 3,000 bytes are within 8 KiB; the latest command's own come on top, at most as much again.
        #expect(names.count <= 4 && !names.isEmpty, "\(names)")
        // Items that were set aside long ago go with the next command that sets something aside, whoever did it.
        try served.place.write(Data("old".utf8), to: ".ferry-undo/015D3EF7-9800-7000-8000-000000000000")
        let later = try await stage.sandbox.bash(
            "echo x > x; ferry cp x w:x 2>/dev/null; ferry rm w:x; ferry undo --any"
        )
        #expect(later.code == 0, "\(later)")
        #expect(!FileManager.default.fileExists(atPath: aside + "/015D3EF7-9800-7000-8000-000000000000"))
    }

    @Test("a command of many steps hides none of those before it")
    func manySteps() async throws {
        let stage = try await Stage(.apache)
        let outcome = try await stage.sandbox.bash(
            """
            mkdir -p d; for n in {1..260}; do echo $n > d/$n; done
            ferry mkdir w:first; ferry cp -r d w:d 2>/dev/null; ferry undo --any; ferry undo --any; ferry history | wc -l
            """
        )
        #expect(outcome.lines == ["undone: cp -r d w:d", "undone: mkdir w:first", "2"], "\(outcome)")
    }

    @Test(
        "that something is set aside is said the first time, it can be seen and removed, and switched off for a remote"
    )
    func told() async throws {
        let stage = try await Stage(.apache)
        let served = try #require(stage.served)
        let url = served.place.url.absoluteString
        let first = try await stage.sandbox.bash(
            "echo 1 > a; ferry cp a w:a; ferry cp a w:b; ferry cp a w:c; ferry rm w:a; ferry rm w:b; ferry ls -a w:; echo; "
                + "ferry ls --all-hidden w:; ferry ls --all-hidden w:.ferry-undo | wc -l"
        )
        #expect(first.lines == ["c", "", ".ferry-undo", "c", "2"], "\(first)")
        let notes = first.errors.split(separator: "\n").filter { $0.contains(".ferry-undo") }
        #expect(
            notes == [
                "ferry: note: what is replaced or removed on w: is kept there for 'ferry undo', in the hidden folder "
                    + "'.ferry-undo'; undo = false for it in remotes.toml switches that off"
            ],
            "\(first)"
        )
        let later = try await stage.sandbox.bash(
            """
            ferry history clear; ferry ls --all-hidden w:
            echo "$PASSWORD" | ferry remote add plain --type webdav --url \(url) --user \(served.server.user) \
                --password-stdin --no-undo
            ferry remote show plain | grep undo; ferry rm plain:c; ferry ls --all-hidden plain:; ferry undo --any; echo "code $?"
            """.replacing("$PASSWORD", with: served.server.password)
        )
        #expect(later.lines.count == 4 && later.lines[0].hasSuffix(" freed") && later.lines[1] == "c", "\(later)")
        #expect(later.lines[2].contains("undo") && later.lines[2].hasSuffix(" off") && later.lines[3] == "code 1")
        #expect(try !served.place.names().contains { $0.hasPrefix(".ferry") })
        // A folder left by processes that were killed while removing it: out of sight, and gone with the next removal.
        let made = try await stage.sandbox.bash(
            """
            left=w:.ferry-undo-0d0f4d3e-7a44-4e5d-9c9e-0c5b1d1a7e01
            export FERRY_HISTORY=off; ferry mkdir $left w:.ferry-undo-mine; ferry cp a $left/late
            """
        )
        #expect(made.code == 0, "\(made)")
        let undone = try await stage.sandbox.bash(
            """
            ferry cp a w:d; ferry rm w:d; ferry ls -a w:; ferry undo --any; ferry ls -a w:
            ferry ls --all-hidden w: w:.ferry-undo; ferry rm -r w:.ferry-undo-mine; ferry history clear > cleared
            ferry ls --all-hidden w:
            """
        )
        #expect(
            undone.lines == [
                ".ferry-undo-mine", "undone: rm w:d", ".ferry-undo-mine", "d", "w:", ".ferry-undo", ".ferry-undo-mine",
                "d",
                "", "w:.ferry-undo:", "late", ".ferry-undo", "d",
            ],
            "\(undone)"
        )
        let others = try await stage.sandbox.bash(
            "ferry history clear --on w; ferry history clear --others --on w; ferry ls --all-hidden w:"
        )
        #expect(others.errors.contains("w: 1 item of others stays in '.ferry-undo'"), "\(others)")
        #expect(others.lines.last == "d", "\(others)")
        let removed = try await stage.sandbox.bash("ferry rm w:d; ferry remote remove w")
        #expect(removed.errors.contains("w: what is kept there for undoing stays in '.ferry-undo'"), "\(removed)")
        #expect(try served.place.names().contains(".ferry-undo"))
    }

    @Test("what is kept for undoing goes with the remote if that is asked for")
    func removedRemote() async throws {
        let stage = try await Stage(.apache)
        let served = try #require(stage.served)
        let outcome = try await stage.sandbox.bash(
            "echo 1 > a; ferry cp a w:a; ferry rm w:a; ferry ls --all-hidden w:; ferry remote remove --clear-undo w"
        )
        #expect(outcome.code == 0 && outcome.lines == [".ferry-undo"], "\(outcome)")
        #expect(try served.place.names() == [])
    }
}
