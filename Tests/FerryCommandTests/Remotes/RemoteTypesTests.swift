import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("Kinds of storages are listed, and asked for")
struct RemoteTypesTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Runs a line in a shell that a person types in, at a terminal of its own, and answers each prompt when it is shown.
    private func atTerminal(_ line: String, answers: [(prompt: String, answer: String)]) async throws -> String {
        try sandbox.make(".lines", line.replacing("ferry ", with: "'\(Sandbox.command)' "))
        let outcome = try await sandbox.bash(
            """
            coproc T { TERM=dumb script -qec 'bash --norc --noprofile -ic "source .lines"' /dev/null; }
            exec {to}>&"${T[1]}" {from}<&"${T[0]}"
            answer() {
                local shown=
                while IFS= read -t 300 -r -n1 -d '' -u $from byte; do
                    shown+=$byte; printf %s "$byte"
                    [[ $shown == *"$1" ]] && { echo "$2" >&$to; return; }
                done
            }
            \(answers.map { "answer '\($0.prompt)' '\($0.answer)'" }.joined(separator: "\n"))
            exec {to}>&-; timeout 300 cat <&$from; true
            """
        )
        return outcome.output.replacing("\r\n", with: "\n")
    }

    @Test("the types, and of one its options with default and values, for people and for programs")
    func types() async throws {
        let all = try await sandbox.bash(
            "ferry remote types | awk '{ print $1 }'; ferry remote types --json | jq -r .type"
        )
        let types = ["webdav", "nextcloud", "sftp", "ftp", "dropbox", "onedrive"]
        #expect(all.lines == types + types, "\(all)")
        let one = try await sandbox.bash(
            """
            ferry remote types ftp | grep -c 'connections .*1 to 64; default: 8'
            ferry remote types sftp --json | jq -c '.options[] | select(.name == "key-pem") | [.value, .secret, .required]'
            ferry remote types webdav --json | jq -c '[.schemes, .logins]'
            ferry remote types nextcloud --json | jq -r '[.options[].name] | index("userID")'
            ferry remote types gopher; echo "code $?"
            """
        )
        #expect(
            one.lines == [
                "1", #"["file",true,false]"#, #"[["https","http","davs","dav"],["password","none","token","OAuth 2"]]"#,
                "null",
                "code 1",
            ],
            "\(one)"
        )
        #expect(one.errors.contains("it knows: webdav, nextcloud, sftp, ftp, dropbox, onedrive"))
    }

    @Test("type, URL and user are asked for in order at a terminal, again where an answer makes no sense")
    func questions() async throws {
        let shown = try await atTerminal(
            "ferry remote add w; echo code $?; ferry remote show w --json",
            answers: [
                ("Kind of storage: ", "gopher"),
                ("One of webdav, nextcloud, sftp, ftp, dropbox, onedrive: ", "ftp"),
                ("URL, such as ftp://host/folder/ or ftps://host/folder/: ", "ftp://localhost:1/x"),
                ("User (empty for none): ", ""),
            ]
        )
        #expect(shown.contains("code 0") && shown.contains(#""type":"ftp","url":"ftp://localhost:1/x""#), "\(shown)")
    }

    @Test("only the missing URL is asked for when the type and the user are given")
    func onlyURL() async throws {
        let shown = try await atTerminal(
            "ferry remote add w --type sftp --user alice; echo code $?; ferry remote show w --json",
            answers: [("URL, such as sftp://user@host/folder: ", "sftp://localhost:1/x")]
        )
        #expect(!shown.contains("Kind of storage") && !shown.contains("User ("), "\(shown)")
        #expect(shown.contains("code 0") && shown.contains(#""user":"alice""#), "\(shown)")
    }

    @Test("the app's key is asked for at a terminal, also where the storage has no URL and the type is given")
    func optionOfKindWithoutURL() async throws {
        let shown = try await atTerminal(
            "ferry remote add w --type dropbox; echo code $?; ferry remote show w --json",
            answers: [("Key of your app, from the App Console of Dropbox (empty for none): ", "appkey")]
        )
        #expect(shown.contains("code 0") && shown.contains(#""client-id":"appkey""#), "\(shown)")
        #expect(!shown.contains("URL, such as") && !shown.contains("User ("), "\(shown)")
    }

    @Test("an empty answer leaves an option out")
    func emptyAnswer() async throws {
        let shown = try await atTerminal(
            "ferry remote add w --type onedrive; echo code $?; ferry remote show w --json",
            answers: [("Application (client) ID of your app, from Microsoft Entra (empty for none): ", "")]
        )
        #expect(shown.contains("code 0") && shown.contains(#""type":"onedrive""#), "\(shown)")
        #expect(!shown.contains("client-id"), "\(shown)")
    }

    @Test(
        "an option is not asked for if an argument gives it, in whatever way",
        arguments: ["--client-id appkey", "--option client-id=appkey"]
    )
    func givenOption(_ argument: String) async throws {
        let shown = try await atTerminal(
            "ferry remote add w \(argument); echo code $?; ferry remote show w --json",
            answers: [("Kind of storage: ", "dropbox")]
        )
        #expect(!shown.contains("Key of your app"), "\(shown)")
        #expect(shown.contains("code 0") && shown.contains(#""client-id":"appkey""#), "\(shown)")
    }

    @Test("the app's key completes the other arguments of a login, however it is given")
    func completedLogin() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry remote add a --type onedrive --option client-id=appkey --scope Files.Read </dev/null 2>/dev/null
            ferry remote show a --json | jq -c '[.options["client-id"], .options.scopes]'
            ferry remote add b --type onedrive --scope Files.Read </dev/null; echo "code $?"
            ferry remote list | grep -c '^b '
            """
        )
        #expect(outcome.lines == [#"["appkey","Files.Read"]"#, "code 64", "0"], "\(outcome)")
        #expect(outcome.errors.contains("a login by OAuth 2 wants --client-id"), "\(outcome)")
    }

    @Test("options that are asked for or required are missing unless an argument gives them")
    func missingOptions() async throws {
        var kind = try StorageKind.named("dropbox")
        kind.options.removeAll { $0.name == "timeout" }
        kind.options += [
            StorageOption("timeout", "Seconds", isRequired: true), StorageOption("space", "Space", isRequired: true),
        ]
        func missing(_ options: [String], own: Set<String> = [], oauth: Set<String> = []) -> [String] {
            RemoteQuestions(
                type: kind.type,
                url: nil,
                user: nil,
                options: options,
                ownOptions: own,
                oauthOptions: oauth
            )
            .missingOptions(of: kind).map(\.name)
        }
        #expect(missing([]) == ["client-id", "timeout", "space"])
        #expect(missing(["space=a=b"], own: ["timeout"]) == ["client-id"])
        #expect(missing(["client-id=x"], oauth: ["scopes"]) == ["timeout", "space"])
        #expect(missing([], own: ["timeout"], oauth: ["client-id"]) == ["space"])
    }

    @Test("in a script what is missing is an error of usage that names it")
    func inScript() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry remote add w </dev/null; echo "code $?"
            ferry remote add w --type ftp </dev/null; echo "code $?"
            ferry remote add w --type gopher --url gopher://x/ </dev/null; echo "code $?"
            ferry remote list
            """
        )
        #expect(outcome.lines == ["code 64", "code 64", "code 64"], "\(outcome)")
        #expect(
            outcome.errors.contains("--type is missing; there are: webdav, nextcloud, sftp, ftp, dropbox, onedrive")
        )
        #expect(outcome.errors.contains("--url is missing"))
        #expect(outcome.errors.contains("no storage is of the type 'gopher'"))
    }

    @Test("a user in the URL asks for no password in a script, and --password-stdin is for that user")
    func userInURL() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry remote add a --type webdav --url https://alice@example.org/ </dev/null 2>/dev/null; echo "code $?"
            echo secret | ferry remote add b --type webdav --url https://bob@example.org/ --password-stdin 2>/dev/null
            ferry remote show b --json | jq -c '[.user, .hasPassword]'
            """
        )
        #expect(outcome.lines == ["code 0", #"["bob",true]"#], "\(outcome)")
    }

    @Test("a value that an option can't have is refused with those that it can")
    func values() async throws {
        let outcome = try await sandbox.bash(
            """
            ferry remote add w --type ftp --url ftp://localhost/ --option connections=100; echo "code $?"
            ferry remote add w --type ftp --url ftp://localhost/ --option tls=maybe; echo "code $?"
            ferry remote list
            """
        )
        #expect(outcome.lines == ["code 1", "code 1"])
        #expect(outcome.errors.contains("it can be 1 to 64") && outcome.errors.contains("explicit, implicit or none"))
    }
}
