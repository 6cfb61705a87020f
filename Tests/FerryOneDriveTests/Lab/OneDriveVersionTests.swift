import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Earlier contents and the recycle bin")
struct OneDriveVersionTests {
    @Test("earlier contents are read from addresses that get no login, and come back")
    func versions() async throws {
        try await withDrive { provider, lab in
            for text in ["one", "second", "the third"] {
                try lab.graph.account.storage.write(Data(text.utf8), to: "/a.txt")
            }
            let versions = try await provider.versions(of: "/a.txt")
            #expect(versions.map(\.size) == [6, 3])
            let oldest = try #require(versions.last)
            #expect(try await provider.contentStream(of: oldest, path: "/a.txt").collect() == Data("one".utf8))
            let contents = lab.journal.exchanges(route: "download")
            #expect(contents.count == 1 && contents.allSatisfy { !$0.isAuthorized })
            try await provider.restore(oldest, of: "/a.txt")
            #expect(lab.graph.account.storage.contents(at: "/a.txt") == Data("one".utf8))
            #expect(try await provider.versions(of: "/a.txt").first?.size == 9)
        }
    }

    @Test("a version that is not kept is no such file, and a folder has none")
    func unknown() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("one".utf8), to: "/Folder/a.txt")
            for id in ["ferry-unknown", "", "a/b", "99.0"] {
                let error = await #expect(throws: CocoaError.self) {
                    try await provider.restore(FileVersion(id: id), of: "/Folder/a.txt")
                }
                #expect(error?.code == .fileNoSuchFile)
            }
            await #expect(throws: CocoaError.self) { try await provider.versions(of: "/Folder") }
        }
    }

    @Test("a malformed request is no such file only if the version is not there", arguments: [true, false])
    func refused(isKept: Bool) async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            if sent.route.hasSuffix("/restoreVersion") { return .refusal("invalidRequest", status: 400) }
            if sent.route.hasSuffix("/versions/2.0") {
                return isKept ? .json(#"{"id":"2.0"}"#) : .refusal("itemNotFound", status: 404)
            }
            return .json(
                #"{"id":"1","name":"a.txt","file":{},"parentReference":{"driveId":"d","driveType":"personal","id":"r"}}"#
            )
        }
        let error = await #expect(throws: (any Error).self) {
            try await provider.restore(FileVersion(id: "2.0"), of: "/a.txt")
        }
        #expect(((error as? CocoaError)?.code == .fileNoSuchFile) == !isKept)
        #expect((error?.serverAnswer as? OneDriveError)?.answeredStatusCode == (isKept ? 400 : 404))
        #expect(transport.sent.count { $0.route.hasSuffix("/restoreVersion") } == 1)
    }

    @Test("a folder comes back out of the recycle bin with all below it, in another process, to another place")
    func restoring() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/Folder/Inner/a.txt")
            try storage.makeFolder(at: "/Elsewhere")
            let trashed = try await provider.trashItem(path: "/Folder")
            #expect(storage.entry(at: "/Folder") == nil)
            let another = try lab.oneDrive()
            try await another.restoreFromTrash(trashed, to: "/Elsewhere/Back")
            #expect(storage.contents(at: "/Elsewhere/Back/Inner/a.txt") == Data("a".utf8))
            let twice = await #expect(throws: CocoaError.self) { try await another.restoreFromTrash(trashed, to: "/b") }
            #expect(twice?.code == .fileNoSuchFile)
            await another.invalidate()
        }
    }

    @Test("an item that comes back replaces nothing, and needs its folder")
    func restoringOnto() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("old".utf8), to: "/Folder/a.txt")
            let trashed = try await provider.trashItem(path: "/Folder/a.txt")
            try storage.write(Data("new".utf8), to: "/Folder/a.txt")
            let exists = await #expect(throws: CocoaError.self) {
                try await provider.restoreFromTrash(trashed, to: nil)
            }
            #expect(exists?.code == .fileWriteFileExists)
            #expect(storage.contents(at: "/Folder/a.txt") == Data("new".utf8))
            try await provider.removeItem(path: "/Folder")
            let missing = await #expect(throws: CocoaError.self) {
                try await provider.restoreFromTrash(trashed, to: nil)
            }
            #expect(missing?.code == .fileNoSuchFile)
            try await provider.restoreFromTrash(trashed, to: "/b.txt")
            #expect(storage.contents(at: "/b.txt") == Data("old".utf8))
        }
    }

    @Test("coming back is promised of a personal drive only, and not where the type of the drive is not known")
    func promised() async throws {
        let foreign = TrashedItem(id: "other#1", item: FileObject(path: "/a.txt", type: .file), deletionDate: nil)
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let id = try await provider.attributesOfItem(path: "/a.txt").id
            let trashed = try await provider.trashItem(path: "/a.txt")
            #expect(trashed.id == id)
            #expect(try await provider.canRestore(trashed))
            #expect(try await !provider.canRestore(foreign))
        }
    }

    @Test("a removal whose answer is lost is not done twice")
    func lostAnswer() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            lab.faults.add(.loseAnswer, route: "delete")
            let trashed = try await provider.trashItem(path: "/a.txt")
            #expect(lab.graph.account.storage.entry(at: "/a.txt") == nil)
            lab.faults.add(.loseAnswer, route: "restore")
            try await provider.restoreFromTrash(trashed, to: nil)
            #expect(lab.graph.account.storage.contents(at: "/a.txt") == Data("a".utf8))
        }
    }

    @Test("what the recycle bin can't do is said, and an empty list is never given instead")
    func unsupported() async throws {
        try await withDrive {
            $0.graph.driveType = .business
        } perform: { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let trashed = try await provider.trashItem(path: "/a.txt")
            for work in [
                { _ = try await provider.trashedItems() }, { try await provider.emptyTrash(nil) },
                { try await provider.restoreFromTrash(trashed, to: nil) },
            ] as [@Sendable () async throws -> Void] {
                let error = await #expect(throws: CocoaError.self) { try await work() }
                #expect(error?.code == .featureUnsupported)
            }
            #expect(lab.graph.account.storage.entry(at: "/a.txt") == nil)
        }
    }
}
