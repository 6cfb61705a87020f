import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Bad input gives the errors of the table, with the service's words, on the lab")
struct OneDriveBadInputTests {
    private static func words(of error: (any Error)?) -> String? {
        (error?.serverAnswer as? OneDriveError)?.serverDescription
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
            let advice = error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
            #expect(advice?.contains("Files.ReadWrite.All") == true)
            await provider.invalidate()
        }
    }

    @Test(
        "a drive, user or site that is not there, which is no absence of an item, and names the option",
        arguments: [
            ["drive": "nope"], ["user": "nobody@contoso.com"], ["site": "https://contoso.sharepoint.com/sites/none"],
        ]
    )
    func drive(options: [String: String]) async throws {
        try await withDrive(options: options) { provider, _ in
            let option = try #require(options.keys.first)
            for attempt in [
                { _ = try await provider.contentsOfDirectory(path: .root) },
                { _ = try await provider.attributesOfItem(path: "/a.txt") },
                { try await provider.writeContents(path: "/a.txt", contents: Data("x".utf8)) },
                { try await provider.create(folder: "new", at: .root) },
                { _ = try await provider.storageProperties() },
            ] as [() async throws -> Void] {
                let error = await #expect(throws: CocoaError.self) { try await attempt() }
                #expect(error?.code == .fileReadUnknown)
                #expect(error?.reasonInWords.hasPrefix("the service knows no such ") == true)
                let advice = error?.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String
                #expect(advice?.contains(option) == true, "\(advice ?? "")")
                #expect(Self.words(of: error) != nil)
            }
        }
    }

    @Test("a refusal that is cut short is asked for again, and is no absence before it is whole", arguments: 1...2)
    func cut(times: Int) async throws {
        try await withDrive(clock: InstantClock()) { provider, lab in
            lab.faults.add(.truncateBody(afterBytes: 10), route: "item", count: times)
            let missing = await #expect(throws: CocoaError.self) {
                try await provider.attributesOfItem(path: "/new.txt")
            }
            #expect(missing?.code == .fileNoSuchFile)
            #expect(lab.journal.exchanges(route: "item").count == times + 1)
            lab.faults.add(.truncateBody(afterBytes: 10), route: "item", count: 100)
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/new.txt") }
            #expect(error.map { RetryPolicy.isTransient($0) } == true)
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
            #expect(error?.reasonInWords == "the name has 300 characters, and OneDrive takes 255 at most")
            let deep = (0..<8).reduce(ItemPath.root) { path, _ in path.appending(String(repeating: "p", count: 60)) }
            let long = await #expect(throws: CocoaError.self) {
                try await provider.create(folder: deep.lastName, at: deep.parent, creatingParents: true)
            }
            #expect(long?.reasonInWords.hasSuffix("characters, and OneDrive takes 400 at most") == true)
            try await provider.removeItem(path: ItemPath.root.appending(String(repeating: "p", count: 60)))
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
