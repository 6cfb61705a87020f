import FerryCore
import FerryTestKit
import Foundation
import Testing

@testable import FerrySFTP

@Suite("Secrets go to the server that they are for")
struct SecretTests {
    @Test("a stored password answers the server itself, by any of its names, and no host on the way")
    func jumpHost() async throws {
        let credential = FileProviderCredential(user: "bob", secret: .password("secret"))
        let secrets = SSHSecrets(credential, hasKeyFiles: false, person: nil)
        let output = "user bob\nhostname Server.example.org\nhostkeyalias lab\nport 22\n"
        await secrets.belong(to: SSHConfiguration(output).hosts)
        for prompt in [
            "bob@server.example.org's password: ", "bob@lab's password: ", "(bob@lab) Password: ",
            "x@y@lab's password: ",
        ] {
            #expect(try await secrets.answer(LoginQuestion(prompt, kind: ""), isFirst: true) == "secret", "\(prompt)")
        }
        for prompt in [
            "bob@gate.example.org's password: ", "(bob@gate) Password: ", "(bob@gate) Password for bob@lab: ",
            "(bob) password of bob@lab's password: ",
        ] {
            #expect(try await secrets.answer(LoginQuestion(prompt, kind: ""), isFirst: true) == nil, "\(prompt)")
        }
    }

    @Test("a line that shares a login that has ended connects by nothing, or by all that a login needs")
    func sharing() throws {
        let url = try #require(URL(string: "sftp://bob@lab/"))
        let target = try #require(SSHTarget(url, user: "bob"))
        var options = SFTPOptions()
        options.knownHostsFile = "/hosts"
        var arguments = SSHArguments(target: target, options: options)
        arguments.controlPath = "/socket"
        for words in [arguments.forFurtherLine, arguments.forCommand("true")] {
            #expect(words.contains("ProxyCommand=false") && !words.contains { $0.contains("/hosts") })
        }
        arguments.isLoginOfPerson = true
        #expect(!arguments.forFurtherLine.contains("ProxyCommand=false"))
        #expect(arguments.forFurtherLine.contains { $0.contains("/hosts") })
    }
}
