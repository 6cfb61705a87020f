import Foundation
import Testing

@Suite("Names of any bytes")
struct NameTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("a name that is not UTF-8 is an argument, and comes out as it is")
    func notUTF8() async throws {
        let script = #"""
            name=$'caf\xe9'; echo hello > "$name"
            ferry ls | cmp - <(printf '%s\n' "$name") && ferry cat "$name" && ferry cp "$name" $'\xff\xfe' &&
            ferry mv "$name" x && ferry mkdir $'d\xe9' && ferry mv x $'d\xe9' && ferry find . "name == 'x'" |
            cmp - <(printf './d\xe9/x\n') && cat $'\xff\xfe' && ferry rm -r $'d\xe9' $'\xff\xfe' && ls -A
            """#
        let outcome = try await sandbox.bash(script)
        #expect(outcome.output == "hello\nhello\n", "\(outcome)")
        #expect(outcome.code == 0)
    }

    @Test("JSON of such a name is valid, and has the escaped form")
    func json() async throws {
        let script = #"echo hello > $'caf\xe9'; ferry ls --json"#
        let object = try #require(try await sandbox.bash(script).objects.first)
        let name = try #require(object["name"] as? String)
        #expect(name == "caf\u{10F7E9}")
        // The name that a program reads there leads back to the file.
        #expect(try await sandbox.ferry("cat", name).output == "hello\n")
    }

    @Test("errors are one line, whatever the name")
    func errors() async throws {
        let outcome = try await sandbox.bash(#"ferry cat $'a\nb\e[31m'"#)
        #expect(outcome.errors.hasPrefix(#"ferry: a\nb\u{1b}[31m: no such file"#))
        #expect(outcome.errors.split(separator: "\n").count == 1)
    }

    @Test(
        "nothing that is named in an error reaches the terminal as a control sequence",
        arguments: HelpTests.subcommands
    )
    func controlSequences(_ subcommand: String) async throws {
        let parts = ["add", "remove", "restore", "create"]
        let ways =
            ["remote", "link", "trash", "versions", "history", "jobs", "lock", "cache"].contains(subcommand)
            ? parts : [""]
        let outcome = try await sandbox.bash(
            #"""
            e=$'\e[31m\a\xc2\x9b\r'; : > "$e"
            for part in \#(ways.map { "'\($0)'" }.joined(separator: " ")); do
                for arguments in "$e/x" "$e:x" "$e" "w$e:" "--$e" "--sort=$e" "-$e" "http://h$e/" "sftp://h$e/"; do
                    timeout 5 $FERRY \#(subcommand) $part "$arguments" < /dev/null >/dev/null
                done
                timeout 5 $FERRY \#(subcommand) $part "$e/x" "$e/y" < /dev/null >/dev/null
            done
            """#
        )
        let bad = outcome.errors.unicodeScalars.filter { $0 != "\n" && $0.properties.generalCategory == .control }
        #expect(bad.isEmpty, "\(outcome.errors.debugDescription)")
    }

    @Test("names that look like options, storages or patterns")
    func awkward() async throws {
        let names = ["-x", "a b", "*", "'", "~", "id:x", "%41", "é", "e\u{301}", " lead", "trail ", "\t", "\\n"]
        for name in names {
            #expect(try await sandbox.ferry("write", "./" + name, input: name).code == 0)
            #expect(try await sandbox.ferry("cat", "./" + name).output == name)
        }
        #expect(try await sandbox.ferry("ls", "--sort", "none").lines.count == names.count)
        #expect(try await sandbox.ferry("cat", "--", "-x").output == "-x")
    }
}
