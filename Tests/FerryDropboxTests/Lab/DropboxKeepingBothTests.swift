import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import Testing

@testable import FerryDropbox

@Suite("Items that keep both at Dropbox, on the lab")
struct DropboxKeepingBothTests {
    @Test("Dropbox finds the free name, in the same request")
    func names() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in ["/a.txt", "/b.txt", "/Folder/b.txt"] { try storage.write(Data(path.utf8), to: path) }
            _ = try await provider.attributesOfItem(path: "/Folder")
            lab.journal.removeAll()
            let copy = try await provider.copyItem(path: "/a.txt", keepingBothAt: "/Folder/b.txt")
            let move = try await provider.moveItem(path: "/b.txt", keepingBothAt: "/Folder/B.txt")
            let folder = try await provider.createFolder(keepingBothAt: "/Folder")
            #expect([copy.path, move.path, folder.path] == ["/Folder/b (1).txt", "/Folder/B (2).txt", "/Folder (1)"])
            #expect(storage.contents(at: "/Folder/b.txt") == Data("/Folder/b.txt".utf8))
            #expect(storage.contents(at: "/Folder/b (1).txt") == Data("/a.txt".utf8))
            #expect(storage.contents(at: "/Folder/B (2).txt") == Data("/b.txt".utf8))
            #expect(storage.entry(at: "/b.txt") == nil && storage.entry(at: "/a.txt") != nil)
            #expect(lab.journal.exchanges(route: "files/list_folder").isEmpty)
            #expect(lab.journal.exchanges(route: "files/copy_v2").count == 1)
            #expect(lab.journal.exchanges(route: "files/create_folder_v2").count == 1)
        }
    }

    @Test("a folder is copied and moved as a job, and never merged")
    func folders() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            try storage.write(Data("a".utf8), to: "/One/a.txt")
            try storage.write(Data("b".utf8), to: "/Two/b.txt")
            #expect(try await provider.copyItem(path: "/One", keepingBothAt: "/Two").path == "/Two (1)")
            #expect(try await provider.moveItem(path: "/One", keepingBothAt: "/Two").path == "/Two (2)")
            #expect(storage.contents(at: "/Two (1)/a.txt") == Data("a".utf8))
            #expect(storage.contents(at: "/Two (2)/a.txt") == Data("a".utf8))
            #expect(try await provider.contentsOfDirectory(path: "/Two").map(\.name) == ["b.txt"])
            #expect(lab.journal.exchanges(route: "files/move_batch_v2").count == 1)
            let error = await #expect(throws: CocoaError.self) {
                try await provider.copyItem(path: "/Two", keepingBothAt: "/Two/inner")
            }
            #expect(error?.code == .fileWriteInvalidFileName)
        }
    }

    @Test("a folder that is too large for one request gets a free name, too")
    func largeFolder() async throws {
        try await withAccount {
            $0.dropbox.maximumFolderOperation = 4
        } perform: { provider, lab in
            let storage = lab.dropbox.account.storage
            for number in 0..<6 { try storage.write(Data("\(number)".utf8), to: "/from/\(number).txt") }
            try storage.write(Data("x".utf8), to: "/to/x.txt")
            let copy = try await provider.copyItem(path: "/from", keepingBothAt: "/to")
            #expect(copy.path != "/to" && copy.isDirectory)
            #expect(try await provider.contentsOfDirectory(path: copy.path).count == 6)
            #expect(try await provider.contentsOfDirectory(path: "/to").map(\.name) == ["x.txt"])
        }
    }

    @Test("another spelling of an item's own name is free for it")
    func spelling() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("a".utf8), to: "/name.txt")
            let item = try await provider.moveItem(path: "/name.txt", keepingBothAt: "/Name.txt")
            #expect(item.path == "/Name.txt")
            #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["Name.txt"])
        }
    }

    @Test("a file that is written gets a free name though the one there is the same", arguments: [5, (32 << 20) + 5])
    func writing(size: Int) async throws {
        try await withAccount { provider, lab in
            let data = Data.pattern(size)
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            try lab.dropbox.account.storage.write(data, to: "/a.bin")
            let file = try await provider.writeStream(
                keepingBothAt: "/a.bin",
                contents: DataChunks(data),
                length: Int64(size),
                modifiedDate: date,
                reporting: nil
            )
            #expect(file.path == "/a (1).bin" && file.size == Int64(size) && file.modifiedDate == date)
            #expect(lab.dropbox.account.storage.contents(at: "/a (1).bin") == data)
            #expect(lab.dropbox.account.storage.entries.count == 2)
        }
    }

    @Test(
        "after a lost answer nothing is sent again, since a second file would get another name",
        arguments: [(5, "files/upload"), ((32 << 20) + 5, "files/upload_session/finish")]
    )
    func lostAnswer(size: Int, route: String) async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("old".utf8), to: "/a.bin")
            lab.faults.add(.loseAnswer, route: route)
            await #expect(throws: URLError.self) {
                try await provider.writeStream(
                    keepingBothAt: "/a.bin",
                    contents: DataChunks(Data.pattern(size)),
                    length: Int64(size),
                    modifiedDate: nil,
                    reporting: nil
                )
            }
            #expect(lab.dropbox.account.storage.entries.count == 2)
            #expect(lab.journal.exchanges(route: route).count == 1)
        }
    }

    @Test("refusals since others are writing are waited for")
    func busy() async throws {
        try await withAccount { provider, lab in
            try lab.dropbox.account.storage.write(Data("old".utf8), to: "/a.txt")
            for route in ["files/upload", "files/copy_v2", "files/create_folder_v2"] {
                lab.faults.add(.tooManyWrites(retryAfter: .zero), route: route)
            }
            let data = Data("new".utf8)
            let file = try await provider.writeStream(
                keepingBothAt: "/a.txt",
                contents: DataChunks(data),
                length: 3,
                modifiedDate: nil,
                reporting: nil
            )
            let copy = try await provider.copyItem(path: file.path, keepingBothAt: "/a.txt")
            _ = try await provider.createFolder(keepingBothAt: "/a.txt")
            #expect(lab.dropbox.account.storage.contents(at: copy.path.string) == data)
            #expect(lab.dropbox.account.storage.entries.count == 4)
            #expect(lab.faults.isEmpty)
        }
    }
}
