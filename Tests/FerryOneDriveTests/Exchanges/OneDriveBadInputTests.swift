import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Bad input gives the errors of the table, with the service's words, on the lab")
struct OneDriveBadInputTests {
    private static func words(of error: (any Error)?) -> String? {
        error?.refusalByGraph?.serverDescription
    }

    @Test("a login that was revoked")
    func revoked() async throws {
        try await withDrive { provider, lab in
            lab.graph.revokeTokens(of: lab.graph.account)
            let error = await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
            #expect(error?.code == .userAuthenticationRequired)
            #expect(Self.words(of: error) != nil)
        }
    }

    @Test("a login that may only read")
    func scope() async throws {
        try await withDrive { _, lab in
            let token = lab.graph.makeAccessToken(scopes: ["Files.Read.All"])
            let provider = try OneDriveStage.provider(of: lab, token: token)
            let before = try await provider.contentsOfDirectory(path: .root)
            #expect(before.isEmpty)
            let error = await #expect(throws: CocoaError.self) {
                try await provider.create(folder: "new", at: .root)
            }
            #expect(error?.code == .fileWriteNoPermission)
            #expect(Self.words(of: error) != nil)
            await provider.invalidate()
        }
    }

    @Test("a drive that is not there")
    func drive() async throws {
        try await withDrive(options: ["drive": "nope"]) { provider, _ in
            let error = await #expect(throws: CocoaError.self) { try await provider.contentsOfDirectory(path: .root) }
            #expect(error?.code == .fileNoSuchFile)
            #expect(Self.words(of: error) != nil)
        }
    }

    @Test("a name that is too long")
    func name() async throws {
        try await withDrive { provider, lab in
            let name = String(repeating: "n", count: 300)
            let error = await #expect(throws: CocoaError.self) {
                try await provider.writeContents(path: ItemPath.root.appending(name), contents: Data("x".utf8))
            }
            #expect(error?.code == .fileWriteInvalidFileName)
            let items = try await provider.contentsOfDirectory(path: .root)
            #expect(items.isEmpty)
        }
    }

    @Test(
        "a file that is larger than the space that is left, with one request or with several",
        arguments: [100, 11 << 20]
    )
    func quota(count: Int) async throws {
        try await withDrive { provider, lab in
            let old = Data("old".utf8)
            try await provider.writeContents(path: "/a.bin", contents: old)
            lab.graph.account.storage.quota = lab.graph.account.storage.used + 50
            let error = await #expect(throws: CocoaError.self) {
                try await provider.writeContents(path: "/a.bin", contents: .pattern(count), overwrite: true)
            }
            #expect(error?.code == .fileWriteOutOfSpace)
            #expect(Self.words(of: error) != nil)
            #expect(lab.graph.account.storage.contents(at: "/a.bin") == old)
        }
    }

    @Test("a package, which stays closed")
    func package() async throws {
        try await withDrive { provider, lab in
            try lab.graph.makePackage(at: "/Notes")
            let items = try await provider.contentsOfDirectory(path: .root)
            #expect(items.map(\.type) == [.other])
            let listing = await #expect(throws: CocoaError.self) {
                try await provider.contentsOfDirectory(path: "/Notes")
            }
            #expect(listing?.code == .featureUnsupported)
            let reading = await #expect(throws: CocoaError.self) { try await provider.contents(path: "/Notes") }
            #expect(reading?.code == .featureUnsupported)
        }
    }
}
