import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("Writing keeps what is there, on servers that don't")
struct WritingQuirkTests {
    @Test(
        "a new file never takes the place of another, where no condition guards it",
        arguments: RealServerKind.allCases
    )
    func exclusive(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.write(Data("theirs".utf8), to: "a")
            let files = stage.provider
            let code = await cocoaCode { try await files.writeContents(path: "/a", contents: Data("ours".utf8)) }
            #expect(code == .fileWriteFileExists)
            #expect(stage.place.read("a") == Data("theirs".utf8))
            #expect(try stage.place.names() == ["a"], "nothing else is left")
            if kind == .nginx || kind == .rclone {
                #expect(!stage.lines.contains("PUT a"), "it would have gone through")
            }
        }
    }

    @Test("what breaks off in the middle leaves the old content, or none", arguments: RealServerKind.allCases)
    func brokenOff(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.write(Data("old".utf8), to: "a")
            let files = stage.provider
            stage.proxy.fault = .cutRequest(after: 1 << 20)
            let contents = Data(repeating: 7, count: 8 << 20)
            await #expect(throws: URLError.self) {
                try await files.writeContents(path: "/a", contents: contents, overwrite: true)
            }
            stage.proxy.fault = .cutRequest(after: 1 << 20)
            await #expect(throws: URLError.self) { try await files.writeContents(path: "/new", contents: contents) }
            #expect(stage.place.read("a") == Data("old".utf8))
            #expect(stage.place.read("new") == nil)
            if kind == .wsgidav || kind == .rclone {
                #expect(!stage.lines.contains { $0 == "PUT a" || $0 == "PUT new" }, "it would have been cut short")
            }
        }
    }

    @Test("an item is not copied or moved onto or into itself: nothing is sent", arguments: RealServerKind.allCases)
    func ontoItself(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.makeFolder("folder")
            try stage.place.write(Data("x".utf8), to: "folder/file")
            let files = stage.provider
            for overwrite in [false, true] {
                for (source, target): (ItemPath, ItemPath) in [
                    ("/folder/file", "/folder/file"), ("/folder", "/folder/inside"), ("/folder", "/folder"),
                ] {
                    await #expect(throws: CocoaError.self) {
                        try await files.copyItem(path: source, to: target, overwrite: overwrite)
                    }
                }
                await #expect(throws: CocoaError.self) {
                    try await files.moveItem(path: "/folder", to: "/folder/inside", overwrite: overwrite)
                }
            }
            #expect(!stage.recording.methods.contains("COPY") && !stage.recording.methods.contains("MOVE"))
            #expect(try stage.place.names() == ["folder", "folder/file"])
            #expect(stage.place.read("folder/file") == Data("x".utf8))
        }
    }

    @Test(
        "a folder that exists is not made again, though a server may say that it was",
        arguments: RealServerKind.allCases
    )
    func existingFolder(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.makeFolder("folder")
            try stage.place.write(Data("x".utf8), to: "file")
            let files = stage.provider
            for name in ["folder", "file"] {
                #expect(await cocoaCode { try await files.create(folder: name, at: "/") } == .fileWriteFileExists)
            }
            #expect(try stage.place.names() == ["file", "folder"])
            #expect(!stage.recording.methods.contains("COPY"), "of what kind the folder is, only MKCOL says")
        }
    }

    @Test("a missing parent is a missing item, by whatever status", arguments: RealServerKind.allCases)
    func missingParent(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            try stage.place.write(Data("x".utf8), to: "file")
            let files = stage.provider
            // nginx would make the missing folders of a MOVE.
            let attempts: [(String, () async throws -> Void)] = [
                ("write", { try await files.writeContents(path: "/no/a", contents: Data("x".utf8)) }),
                ("create", { try await files.create(folder: "a", at: "/no") }),
                ("copy", { try await files.copyItem(path: "/file", to: "/no/a") }),
                ("move", { try await files.moveItem(path: "/file", to: "/no/a") }),
            ]
            for (name, attempt) in attempts {
                #expect(await cocoaCode { try await attempt() } == .fileNoSuchFile, "\(name)")
            }
            #expect(try stage.place.names() == ["file"])
        }
    }

    @Test(
        "of several writes that depend on the same eTag one is done, and no lock stays",
        arguments: [RealServerKind.lighttpd, .wsgidav, .rclone]
    )
    func sameETag(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            try stage.place.write(Data("old".utf8), to: "a")
            try stage.place.setModifiedDate(Date(timeIntervalSinceNow: -3), of: "a")
            let eTag = try #require(try await files.attributesOfItem(path: "/a").eTag)
            let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        do {
                            try await files.writeStream(
                                path: "/a",
                                contents: DataChunks(Data("new \(number)".utf8)),
                                options: WriteOptions(ifMatch: eTag)
                            )
                            return true
                        } catch is PreconditionFailedError {
                            return false
                        }
                    }
                }
                return try await group.reduce(into: 0) { count, isDone in count += isDone ? 1 : 0 }
            }
            #expect(done == 1)
            #expect(try stage.place.names() == ["a"])
            try await stage.fixtures.writeContents(path: "/a", contents: Data("theirs".utf8), overwrite: true)
            #expect(stage.place.read("a") == Data("theirs".utf8))
        }
    }

    @Test("the name of a locked item is free when the item is gone", arguments: RealServerKind.allCases)
    func lockedNames(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            let locking: any FileProviderLocking = files
            for name in ["a", "b"] { try stage.place.write(Data(name.utf8), to: name) }
            for path: ItemPath in ["/a", "/b"] { _ = try await locking.lock(path: path, options: FileLockOptions()) }
            try await files.moveItem(path: "/a", to: "/c")
            try await files.removeItem(path: "/b")
            for name in ["a", "b", "c"] {
                let path = ItemPath.root.appending(name)
                try await stage.fixtures.writeContents(path: path, contents: Data("theirs".utf8), overwrite: true)
            }
            #expect(try stage.place.names() == ["a", "b", "c"])
        }
    }

    @Test("a copy of a folder takes along what a server doesn't list")
    func hiddenNames() async throws {
        try await withRealStage(.nginx) { stage in
            try stage.place.makeFolder("folder")
            try stage.place.write(Data("x".utf8), to: "folder/.hidden")
            let files = stage.provider
            #expect(try await files.contentsOfDirectory(path: "/folder").isEmpty, "nginx hides it")
            #expect(try await files.contents(path: "/folder/.hidden") == Data("x".utf8))
            try await files.copyItem(path: "/folder", to: "/copy")
            try await files.moveItem(path: "/folder", to: "/moved")
            #expect(try stage.place.names() == ["copy", "copy/.hidden", "moved", "moved/.hidden"])
        }
    }

    @Test("no date is promised, since no server sets one", arguments: RealServerKind.allCases)
    func dates(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = stage.provider
            #expect(!files.capabilities.setsModifiedDate)
            let written = try await files.writeStream(
                path: "/a",
                contents: DataChunks(Data("x".utf8)),
                options: WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_000_000_000))
            )
            let listed = try await files.attributesOfItem(path: "/a")
            let date = try #require(listed.modifiedDate)
            #expect(date.timeIntervalSince1970 > 1_500_000_000, "the server's own")
            if let told = written?.modifiedDate { #expect(told == date, "never the one that was asked for") }
        }
    }

    @Test("a large body is not sent before we are known", arguments: [RealServerKind.apache, .lighttpd, .wsgidav])
    func loginFirst(_ kind: RealServerKind) async throws {
        try await withRealStage(kind, .digest, discovering: false) { stage in
            let contents = Data(repeating: 1, count: 4 << 20)
            try await stage.provider.writeContents(path: "/a", contents: contents)
            #expect(stage.place.read("a") == contents)
            let puts = stage.recording.exchanges.filter { $0.request.method == .put }
            #expect(!puts.isEmpty)
            for put in puts { #expect(put["Authorization"] != nil) }
            #expect(puts.count { ($0.response?.status.code ?? 0) < 300 } == puts.count, "each was sent once")
        }
    }

    @Test("a connection that a server closed meanwhile costs nobody a request")
    func keptAlive() async throws {
        let server = try await RealServer.start(.apache, extras: ["KeepAliveTimeout 20ms"])
        let stage = try await RealStage(server, server.http)
        let files = stage.provider
        try await until("the server is known") { (try? await files.discover()) != nil }
        for number in 0..<40 {
            let contents = Data("\(number)".utf8)
            // On a busy machine the server hangs up between the requests of a write, too, of which not each may be sent twice.
            try await until("the file is written") {
                (try? await files.writeContents(path: "/file", contents: contents, overwrite: true)) != nil
            }
            // The closer to the server's own patience, the likelier that it hangs up just now.
            try await Task.sleep(for: .microseconds(18_000 + number * 100))
            do {
                #expect(try await files.contents(path: "/file") == contents)
                #expect(try await files.contentsOfDirectory(path: "/").map(\.name) == ["file"])
            } catch {
                Issue.record(error, "round \(number)")
            }
        }
        await stage.cleanUp()
    }
}
