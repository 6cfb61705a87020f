import FerryCloudLab
import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Operations on several items at OneDrive")
struct OneDriveBatchTests {
    private static func paths(_ count: Int, in folder: ItemPath = .root) -> [ItemPath] {
        (0..<count).map { folder.appending("\($0).txt") }
    }

    /// The numbers of exchanges, by their routes.
    private static func exchanges(_ lab: CloudLab) -> [String: Int] {
        Dictionary(grouping: lab.journal.exchanges, by: \.route).mapValues(\.count)
    }

    // MARK: On the lab

    @Test("60 removals are three requests, whether to the recycle bin or for good", arguments: ["false", "true"])
    func removals(forGood: String) async throws {
        try await withDrive(options: ["hard-delete": forGood]) { provider, lab in
            let storage = lab.graph.account.storage
            for path in Self.paths(60) { try storage.write(Data(), to: path.string) }
            lab.journal.removeAll()
            let results = try await provider.removeItems(Self.paths(60))
            #expect(results.count == 60 && results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.exchanges(lab) == ["$batch": 3])
            #expect(Self.paths(60).allSatisfy { storage.entry(at: $0.string) == nil })
        }
    }

    @Test("those that are missing are reported each, and their folder is looked at once")
    func missing() async throws {
        try await withDrive { provider, lab in
            for path in Self.paths(10, in: "/folder") { try lab.graph.account.storage.write(Data(), to: path.string) }
            lab.journal.removeAll()
            let results = try await provider.removeItems(Self.paths(20, in: "/folder"))
            #expect(results.map { (try? $0.get()) != nil } == (0..<20).map { $0 < 10 })
            for result in results.dropFirst(10) {
                let error = #expect(throws: CocoaError.self) { try result.get() }
                #expect(error?.code == .fileNoSuchFile)
            }
            #expect(Self.exchanges(lab) == ["$batch": 1, "item": 1])
        }
    }

    @Test("what was removed is reported so, although a second try for the others fails")
    func failedSecondTry() async throws {
        try await withDrive { provider, lab in
            for path in Self.paths(5) { try lab.graph.account.storage.write(Data(), to: path.string) }
            lab.journal.removeAll()
            lab.faults.add(.tooManyRequests(retryAfter: .zero), route: "delete")
            lab.faults.add(
                .answer(status: 400, contentType: "application/json", body: "{}"),
                route: "$batch",
                skipping: 1
            )
            let results = try await provider.removeItems(Self.paths(5))
            #expect(results.filter { (try? $0.get()) == nil }.count == 1)
            #expect(Self.exchanges(lab)["$batch"] == 2)
            #expect(Self.paths(5).count { lab.graph.account.storage.entry(at: $0.string) != nil } == 1)
        }
    }

    @Test("behind a shortcut to another drive, items are removed there")
    func shortcut() async throws {
        try await withDrive { provider, lab in
            let other = lab.graph.makeAccount(email: "other@example.com")
            for path in Self.paths(3, in: "/Shared") { try other.storage.write(Data(), to: path.string) }
            try lab.graph.addShortcut(to: "/Shared", of: other, at: "/Link", in: lab.graph.account)
            let results = try await provider.removeItems(Self.paths(3, in: "/Link"))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.paths(3, in: "/Shared").allSatisfy { other.storage.entry(at: $0.string) == nil })
        }
    }

    @Test("40 moves into a folder are asked for and made with two requests for each 20")
    func moves() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            for path in Self.paths(40) { try storage.write(Data(), to: path.string) }
            try storage.makeFolder(at: "/target")
            lab.journal.removeAll()
            let moves = Self.paths(40).map { ItemMove(path: $0, to: "/target/\($0.lastName)") }
            let results = try await provider.moveItems(moves, overwrite: false)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.exchanges(lab) == ["$batch": 4, "item": 1])
            #expect(Self.paths(40, in: "/target").allSatisfy { storage.entry(at: $0.string) != nil })
        }
    }

    @Test(
        "after a lost answer each move is looked at, and made again only if it was not made",
        arguments: [true, false]
    )
    func lostMoves(isDone: Bool) async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            for path in Self.paths(3) { try storage.write(Data(), to: path.string) }
            try storage.makeFolder(at: "/target")
            lab.journal.removeAll()
            // The first batch asks for the items.
            lab.faults.add(isDone ? .loseAnswer : .cutBeforeCommit, route: "$batch", skipping: 1)
            let moves = Self.paths(3).map { ItemMove(path: $0, to: "/target/\($0.lastName)") }
            let results = try await provider.moveItems(moves, overwrite: false)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.paths(3, in: "/target").allSatisfy { storage.entry(at: $0.string) != nil })
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
            #expect(lab.journal.exchanges(route: "update").count == (isDone ? 0 : 3))
            #expect(lab.faults.isEmpty)
        }
    }

    @Test("a move that replaces something goes by itself, the others together; identifiers lead to their items")
    func replacing() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            for name in ["a", "b", "c"] { try storage.write(Data(name.utf8), to: "/\(name)") }
            try storage.write(Data("old".utf8), to: "/target/b")
            let id = try #require(try await provider.attributesOfItem(path: "/c").id)
            lab.journal.removeAll()
            let moves = [ItemMove(path: "/a", to: "/target/a"), ItemMove(path: "/b", to: "/target/b")]
            let byID = [ItemMove(path: ItemPath(identifier: id), to: "/target/c")]
            let results = try await provider.moveItems(moves + byID, overwrite: true)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            for name in ["a", "b", "c"] { #expect(storage.contents(at: "/target/\(name)") == Data(name.utf8)) }
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
        }
    }

    @Test("45 dates are three requests; a date that the service can't have is refused by itself")
    func dates() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            for path in Self.paths(45) { try storage.write(Data(), to: path.string) }
            lab.journal.removeAll()
            let date = Date(timeIntervalSince1970: 1_500_000_000)
            var changes = Self.paths(45).map {
                ItemAttributesChange(path: $0, attributes: ItemAttributes(modifiedDate: date))
            }
            changes.append(ItemAttributesChange(path: "/0.txt", attributes: ItemAttributes(modifiedDate: .distantPast)))
            let results = try await provider.setAttributes(changes)
            #expect(results.map { (try? $0.get()) != nil } == (0..<46).map { $0 < 45 })
            #expect(Self.exchanges(lab) == ["$batch": 3])
            #expect(Self.paths(45).allSatisfy { storage.entry(at: $0.string)?.modified == date })
        }
    }

    @Test("after an answer that was lost, each is looked at")
    func lostAnswer() async throws {
        try await withDrive { provider, lab in
            for path in Self.paths(3) { try lab.graph.account.storage.write(Data(), to: path.string) }
            lab.faults.add(.loseAnswer, route: "$batch")
            let results = try await provider.removeItems(Self.paths(3))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(lab.journal.exchanges(route: "$batch").count == 1)
        }
    }

    @Test("where the service takes no batches, each goes by itself")
    func refusedBatch() async throws {
        try await withDrive { provider, lab in
            for path in Self.paths(3) { try lab.graph.account.storage.write(Data(), to: path.string) }
            lab.faults.add(.answer(status: 403, contentType: "application/json", body: "{}"), route: "$batch")
            lab.journal.removeAll()
            let results = try await provider.removeItems(Self.paths(3))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.exchanges(lab) == ["$batch": 1, "delete": 3])
        }
    }

    // MARK: By a script

    private static func reply(_ id: Int, _ status: Int, _ code: String = "", after: String? = nil) -> String {
        let headers = after.map { #""headers":{"retry-after":"\#($0)"},"# } ?? ""
        let body = code.isEmpty ? "null" : #"{"error":{"code":"\#(code)","message":"never to be read"}}"#
        return #"{"id":"\#(id)","status":\#(status),\#(headers)"body":\#(body)}"#
    }

    private static func batch(_ replies: String...) -> ScriptedTransport.Answer {
        .json(#"{"responses":[\#(replies.joined(separator: ","))]}"#)
    }

    @Test(
        "what the service is too busy for is sent again after the pause that it asks for, and nothing else",
        arguments: [(429, "activityLimitReached"), (503, "activityLimitReached")]
    )
    func throttled(status: Int, code: String) async throws {
        let clock = InstantClock()
        let (provider, transport) = try OneDriveFileProvider.scripted(clock: clock) { _, number in
            number == 0
                ? Self.batch(Self.reply(2, 204), Self.reply(1, status, code, after: "7"), Self.reply(0, 204))
                : Self.batch(Self.reply(0, 204))
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt", "/c.txt"])
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(transport.sent.map(\.route) == ["POST /$batch", "POST /$batch"])
        let again = transport.sent.last?.text ?? ""
        #expect(again.contains("b.txt") && !again.contains("a.txt") && !again.contains("c.txt"))
        #expect(clock.waits.contains { $0 > .seconds(6) && $0 <= .seconds(7) })
    }

    @Test("an item that is refused keeps no other from its removal, and has the error of a single one")
    func refused() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { _, _ in
            Self.batch(Self.reply(0, 204), Self.reply(1, 423, "resourceLocked"), Self.reply(2, 403, "accessDenied"))
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt", "/c.txt"])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, false])
        let error = #expect(throws: CocoaError.self) { try results[2].get() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == "/c.txt")
    }

    @Test("a removal that is refused as unavailable, or has no answer, may have been done, and is not sent again")
    func unavailable() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            switch sent.route {
            case "POST /$batch": Self.batch(Self.reply(0, 503, "serviceNotAvailable"), Self.reply(1, 204))
            case "GET /me/drive/root:/a.txt": .refusal("itemNotFound", status: 404)
            default: .json(#"{"id":"1","name":"c.txt","file":{},"parentReference":{"driveId":"d"}}"#)
            }
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt", "/c.txt"])
        #expect(results.map { (try? $0.get()) != nil } == [true, true, false])
        #expect(transport.sent.count { $0.route == "POST /$batch" } == 1)
    }
}
