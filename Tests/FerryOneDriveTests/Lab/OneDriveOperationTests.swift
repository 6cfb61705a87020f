import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Moves and copies across shortcuts and drives, on the lab")
struct OneDriveOperationTests {
    private static let (old, new) = (Data("old".utf8), Data("new one".utf8))

    /// Runs a test with somebody else's folder `/Shared`, to which `/One` and `/Two` lead.
    private static func withShortcuts(
        perform body: (_ provider: OneDriveFileProvider, _ lab: CloudLab, _ other: GraphAccount) async throws -> Void
    ) async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            try other.storage.write(new, to: "/Shared/a.txt")
            try other.storage.write(new, to: "/Shared/Folder/a.txt")
            try other.storage.write(new, to: "/Shared/Folder/Deep/b.txt")
            for target in ["/One", "/Two"] {
                try lab.graph.addShortcut(to: "/Shared", of: other, at: target, in: lab.graph.account)
            }
            try await body(provider, lab, other)
        }
    }

    @Test(
        "an item is not replaced by itself under another path",
        arguments: [("/One/a.txt", "/Two/a.txt"), ("/One/Folder", "/Two/Folder"), ("/One", "/Two")],
        [false, true]
    )
    func same(paths: (source: ItemPath, target: ItemPath), isByID: Bool) async throws {
        try await Self.withShortcuts { provider, _, other in
            var source = paths.source
            if isByID {
                source = ItemPath(identifier: try #require(try await provider.attributesOfItem(path: source).id))
            }
            let error = await #expect(throws: CocoaError.self) {
                try await provider.moveItem(path: source, to: paths.target, overwrite: true)
            }
            #expect(error?.code == .fileWriteFileExists)
            for path in ["/Shared/a.txt", "/Shared/Folder/a.txt", "/Shared/Folder/Deep/b.txt"] {
                #expect(other.storage.contents(at: path) == Self.new)
            }
        }
    }

    @Test("folders that both hold a shortcut to the same folder are not merged")
    func sameBelow() async throws {
        try await Self.withShortcuts { provider, lab, other in
            for target in ["/A/Link", "/B/Link"] {
                try lab.graph.addShortcut(to: "/Shared", of: other, at: target, in: lab.graph.account)
            }
            let error = await #expect(throws: CocoaError.self) {
                try await provider.moveItem(path: "/A", to: "/B", overwrite: true)
            }
            #expect(error?.code == .fileWriteFileExists)
            #expect(other.storage.contents(at: "/Shared/a.txt") == Self.new)
        }
    }

    @Test("a file of another drive replaces one of this drive, and is gone there")
    func replacing() async throws {
        try await Self.withShortcuts { provider, lab, other in
            try lab.graph.account.storage.write(Self.old, to: "/a.txt")
            try await provider.moveItem(path: "/One/a.txt", to: "/a.txt", overwrite: true)
            #expect(lab.graph.account.storage.contents(at: "/a.txt") == Self.new)
            #expect(other.storage.entry(at: "/Shared/a.txt") == nil)
            let names = try await provider.contentsOfDirectory(path: .root).map(\.name)
            #expect(Set(names) == ["a.txt", "One", "Two"])
        }
    }

    @Test(
        "a folder of another drive is merged into one of this drive, by its path and by its identifier",
        arguments: [
            false, true,
        ]
    )
    func merging(isByID: Bool) async throws {
        try await Self.withShortcuts { provider, lab, other in
            let storage = lab.graph.account.storage
            try storage.write(Self.old, to: "/Folder/a.txt")
            try storage.write(Self.old, to: "/Folder/c.txt")
            try storage.makeFolder(at: "/Folder/Deep")
            var source: ItemPath = "/One/Folder"
            if isByID {
                source = ItemPath(identifier: try #require(try await provider.attributesOfItem(path: source).id))
            }
            try await provider.moveItem(path: source, to: "/Folder", overwrite: true)
            #expect(storage.contents(at: "/Folder/a.txt") == Self.new)
            #expect(storage.contents(at: "/Folder/c.txt") == Self.old)
            #expect(storage.contents(at: "/Folder/Deep/b.txt") == Self.new)
            #expect(other.storage.entry(at: "/Shared/Folder") == nil)
        }
    }

    @Test("a copy under a free name is the new item, also where its job ends with a redirect")
    func keepingBoth() async throws {
        try await withDrive {
            $0.graph.monitorsRedirect = true
        } perform: { provider, lab in
            let storage = lab.graph.account.storage
            let taken = Date(timeIntervalSince1970: 1_400_000_000)
            try storage.write(Self.new, to: "/a.txt", modified: Date(timeIntervalSince1970: 1_500_000_000))
            try storage.write(Self.old, to: "/b.txt", modified: taken)
            let copy = try await provider.copyItem(path: "/a.txt", keepingBothAt: "/b.txt", reporting: nil)
            #expect(copy.path != "/b.txt")
            #expect(storage.contents(at: copy.path.string) == Self.new)
            #expect(storage.entry(at: "/b.txt")?.modified == taken)
            #expect(storage.contents(at: "/b.txt") == Self.old)
        }
    }
}
