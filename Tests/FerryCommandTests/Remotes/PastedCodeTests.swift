import FerryCloudLab
import FerryTestServers
import Foundation
import Testing

/// A login on a machine without a browser: the test's browser is curl, and what it shows is pasted.
@Suite("A login by what a browser elsewhere shows")
struct PastedCodeTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    /// Begins a login, opens the address that it shows, and pastes what a program of the test's makes of it.
    ///
    /// - Parameters:
    ///   - remote: The remote.
    ///   - browser: A command of the shell that prints what to paste; the address is `$url`.
    /// - Returns: What ferry has said after the address.
    /// - Throws: Why the shell can't be run.
    private func logIn(_ remote: String, _ browser: String) async throws -> Sandbox.Outcome {
        // The shell forgets `F` when the command has ended.
        try await sandbox.bash(
            """
            coproc F { "$FERRY" remote login \(remote) --no-browser 2>&1; }
            pid=$F_PID input=${F[1]}; exec 5<&"${F[0]}" 6>&"$input"
            while read -r line <&5; do case $line in http*) url=$line; break;; esac; done
            { \(browser); } >&6; exec 6>&-; eval "exec $input>&-" 2>/dev/null
            cat <&5; wait "$pid"
            """
        )
    }

    @Test("takes the code that Dropbox shows, and its tokens are renewed like others")
    func dropbox() async throws {
        try await withCloudLab { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox, logsIn: false)
            try lab.dropbox.account.storage.write(Data("hello\n".utf8), to: "/greeting")
            let login = try await logIn("cloud", "curl -s \"$url\" | sed -n 's/^code=//p'")
            #expect(login.code == 0 && login.output.hasSuffix("cloud: logged in\n"), "\(login)")
            #expect(try await sandbox.ferry("cat", "cloud:greeting").output == "hello\n")
            lab.dropbox.expireAccessTokens()
            #expect(try await sandbox.ferry("cat", "cloud:greeting").output == "hello\n")
        }
    }

    @Test("a wrong code, and a person who refuses, are errors, and nothing is stored")
    func refused() async throws {
        try await withCloudLab { lab in
            try await CloudAccount.dropbox.add(lab, to: sandbox, logsIn: false)
            let wrong = try await logIn("cloud", "echo not-a-code")
            #expect(wrong.code == 1 && !wrong.output.contains("logged in\n"), "\(wrong)")
            let empty = try await logIn("cloud", ":")
            #expect(empty.code == 1 && empty.output.contains("there is no code in it"), "\(empty)")
            let early = try await sandbox.ferry("ls", "cloud:")
            #expect(early.code == 1 && early.errors.contains("nobody is logged in"), "\(early)")
        }
    }

    @Test("takes the address at which a browser ends that is sent to this machine, of this login only")
    func address() async throws {
        let server = try await OAuthServer.start()
        do {
            try await logIn(at: server)
            await server.stop()
        } catch {
            await server.stop()
            throw error
        }
    }

    private func logIn(at server: OAuthServer) async throws {
        let url = server.url.absoluteString
        let added = try await sandbox.bash(
            """
            ferry remote add w --type webdav --url \(url)dav/ --auth oauth2 --authorization-url \(url)authorize \
            --token-url \(url)token --client-id ferry
            """
        )
        #expect(added.code == 0, "\(added)")
        let ending = "curl -s -o /dev/null -w '%{redirect_url}\\n' \"$url\""
        let other = try await logIn("w", ending + " | sed 's/state=/state=x/'")
        #expect(other.code == 1 && other.output.contains("the answer to another login"), "\(other)")
        let login = try await logIn("w", ending)
        #expect(login.code == 0 && login.output.hasSuffix("w: logged in\n"), "\(login)")
        #expect(try await sandbox.ferry("ls", "w:").output == "a.txt\n")
        #expect(server.grants == ["authorization_code"])
    }

    @Test("excludes the other ways, and is for OAuth 2")
    func mistakes() async throws {
        let outcome = try await sandbox.bash(
            """
            echo secret | ferry remote add w --type webdav --url https://h.example/ --user me --password-stdin 2>/dev/null
            ferry remote login w --no-browser; echo $?; ferry remote login w --no-browser --device; echo $?
            ferry remote login w --no-browser --token-stdin; echo $?
            """
        )
        #expect(outcome.lines == ["64", "64", "64"], "\(outcome)")
    }
}
