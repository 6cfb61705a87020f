import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Exchanges about links")
struct OneDriveLinkExchangeTests {
    /// A provider to which the service answers with a link, new or not, whose scope it names as it likes.
    private static func scripted(
        _ scope: String?,
        isNew: Bool = true
    ) throws -> (provider: OneDriveFileProvider, transport: ScriptedTransport) {
        let field = scope.map { #","scope":"\#($0)""# } ?? ""
        let permission =
            #"{"id":"p","roles":["read"],"link":{"type":"view","webUrl":"https://1drv.ms/u/1"\#(field)}}"#
        let item = #"{"id":"1","name":"a.txt","size":1,"file":{},"parentReference":{"driveId":"d","id":"root"}}"#
        return try OneDriveFileProvider.scripted { sent, _ in
            if sent.head.method == .delete { return .init(status: 204) }
            return sent.route.hasSuffix("/createLink") ? .json(permission, status: isNew ? 201 : 200) : .json(item)
        }
    }

    @Test(
        "a link that works for others than was wanted is revoked",
        arguments: [
            ("anonymous", ShareScope.anyone), ("organization", .organization), ("users", .invited),
            ("something-new", nil), (nil, nil),
        ] as [(String?, ShareScope?)]
    )
    func scope(name: String?, real: ShareScope?) async throws {
        for wanted in ShareScope.allCases {
            let (provider, transport) = try Self.scripted(name)
            let link = try? await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: wanted))
            #expect((link != nil) == (wanted == real), "\(wanted)")
            #expect(link == nil || link?.scope == wanted)
            let asked = transport.sent.first { $0.route.hasSuffix("/createLink") }
            #expect(asked?.text.contains(#""scope":"\#(wanted.graphName)""#) == true, "\(wanted)")
            let isRevoked = transport.sent.contains { $0.head.method == .delete }
            #expect(isRevoked == (wanted != real), "\(wanted)")
        }
    }

    @Test("a link without a scope is one for anybody, also where the answer doesn't say so")
    func noScope() async throws {
        for (name, real) in [("anonymous", ShareScope.anyone), (nil, nil)] as [(String?, ShareScope?)] {
            let (provider, transport) = try Self.scripted(name)
            #expect(try await provider.publicLink(to: "/a.txt", options: ShareOptions()).scope == real)
            let asked = transport.sent.first { $0.route.hasSuffix("/createLink") }
            #expect(asked?.text.contains(#""scope":"anonymous""#) == true)
        }
    }

    @Test("a link that exists and works for others is neither returned nor revoked")
    func existing() async throws {
        let (provider, transport) = try Self.scripted("anonymous", isNew: false)
        let error = await #expect(throws: CocoaError.self) {
            try await provider.publicLink(to: "/a.txt", options: ShareOptions(scope: .organization))
        }
        #expect(error?.code == .fileWriteFileExists)
        #expect(!transport.sent.contains { $0.head.method == .delete })
    }
}
