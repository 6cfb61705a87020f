import FerryTestServers
import Foundation
import Testing

@Suite("A remote over TLS")
struct CertificateTests {
    let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
    }

    @Test("trusts an authority of its own, and shows its certificate to a server that wants one")
    func clientCertificate() async throws {
        let authority = try TestAuthority()
        let ours = try authority.issue(for: ["ann"], isForClients: true)
        let stranger = try TestAuthority(name: "Somebody else").issue(for: ["bob"], isForClients: true)
        try sandbox.make("ca.pem", authority.certificatePEM)
        try sandbox.make("ours.crt", ours.certificatePEM)
        try sandbox.make("ours.key", ours.keyPEM)
        try sandbox.make("both.pem", ours.certificatePEM + "\n" + ours.keyPEM)
        try sandbox.make("stranger.pem", stranger.certificatePEM + "\n" + stranger.keyPEM)
        let tls = LoopbackTLS(try authority.issue(), clientAuthorityPEM: authority.certificatePEM)
        try await withLoopbackServer(tls: tls) { request in
            SmallDAV.answer(to: request.head)
        } perform: { server in
            let outcome = try await sandbox.bash(
                """
                add() { ferry remote add --type webdav --url \(server.url)dav/ "$@" 2>/dev/null; }
                add two --ca-file ca.pem --client-cert ours.crt --client-key ours.key
                add one --ca-file ca.pem --client-cert both.pem
                add none --ca-file ca.pem
                add bad --ca-file ca.pem --client-cert stranger.pem
                add blind --client-cert both.pem
                mkdir elsewhere; cd elsewhere
                for name in two one none bad blind; do ferry ls $name: 2>&1; done
                """
            )
            #expect(
                outcome.output == """
                    a.txt
                    a.txt
                    ferry: none:: the server asks for a client certificate
                    ferry: bad:: the server doesn't take our client certificate
                    ferry: blind:: the server's certificate can't be trusted

                    """,
                "\(outcome)"
            )
        }
    }
}
