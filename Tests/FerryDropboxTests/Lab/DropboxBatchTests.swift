import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import Testing

@testable import FerryDropbox

@Suite("Operations on several items at Dropbox")
struct DropboxBatchTests {
    private static func paths(_ count: Int, in folder: ItemPath = .root) -> [ItemPath] {
        (0..<count).map { folder.appending("\($0).txt") }
    }

    /// The numbers of exchanges, by their routes.
    private static func exchanges(_ lab: CloudLab) -> [String: Int] {
        Dictionary(grouping: lab.journal.exchanges, by: \.route).mapValues(\.count)
    }

    // MARK: On the lab

    @Test("60 removals are one request, and those that are missing are reported each")
    func removals() async throws {
        try await withAccount {
            $0.dropbox.jobPolls = nil
        } perform: { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(60) where path != "/7.txt" { try storage.write(Data(), to: path.string) }
            let results = try await provider.removeItems(Self.paths(60))
            #expect(results.map { (try? $0.get()) != nil } == (0..<60).map { $0 != 7 })
            let error = #expect(throws: CocoaError.self) { try results[7].get() }
            #expect(error?.code == .fileNoSuchFile)
            #expect(Self.exchanges(lab) == ["files/delete_batch": 1])
            #expect(Self.paths(60).allSatisfy { storage.entry(at: $0.string) == nil })
        }
    }

    @Test("a job is asked about until it has ended")
    func job() async throws {
        try await withAccount { provider, lab in
            for path in Self.paths(3) { try lab.dropbox.account.storage.write(Data(), to: path.string) }
            lab.faults.add(.slowJob(polls: 1), route: "files/delete_batch")
            let results = try await provider.removeItems(Self.paths(3))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.exchanges(lab) == ["files/delete_batch": 1, "files/delete_batch/check": 2])
        }
    }

    @Test("a folder that is too large for one job is removed part by part, the others with it")
    func largeFolder() async throws {
        try await withAccount {
            $0.dropbox.maximumFolderOperation = 5
        } perform: { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(8, in: "/large") + ["/a.txt"] { try storage.write(Data(), to: path.string) }
            let results = try await provider.removeItems(["/large", "/a.txt"])
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(storage.entry(at: "/large") == nil && storage.entry(at: "/a.txt") == nil)
        }
    }

    @Test("after an answer that was lost, each is looked at")
    func lostAnswer() async throws {
        try await withAccount { provider, lab in
            for path in Self.paths(3) { try lab.dropbox.account.storage.write(Data(), to: path.string) }
            lab.faults.add(.loseAnswer, route: "files/delete_batch")
            let results = try await provider.removeItems(Self.paths(3))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(lab.journal.exchanges(route: "files/delete_batch").count == 1)
        }
    }

    @Test("when a job has begun, a question about it that fails leaves nothing out: each item is looked at")
    func lostJob() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(3) { try storage.write(Data(), to: path.string) }
            lab.faults.add(
                .answer(status: 400, contentType: "text/plain", body: "no such job"),
                route: "files/delete_batch/check"
            )
            let results = try await provider.removeItems(Self.paths(4))
            // The last was never there: that it is gone now is all that can be said.
            #expect(results.count == 4 && results.allSatisfy { (try? $0.get()) != nil })
            #expect(lab.journal.exchanges(route: "files/delete_batch").count == 1)
            #expect(lab.journal.exchanges(route: "files/delete_v2").isEmpty)
            #expect(lab.faults.isEmpty)
        }
    }

    @Test("a job that fails since others write is ended: its items are looked at, and those that are left go again")
    func failedJob() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(3) { try storage.write(Data(), to: path.string) }
            lab.faults.add(.failJob, route: "files/delete_batch")
            let results = try await provider.removeItems(Self.paths(3))
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(lab.journal.exchanges(route: "files/delete_batch").count == 2)
            #expect(lab.journal.exchanges(route: "files/delete_v2").isEmpty)
            #expect(Self.paths(3).allSatisfy { storage.entry(at: $0.string) == nil })
        }
    }

    @Test("60 moves into a folder are one request, and one to see that the folder is there")
    func moves() async throws {
        try await withAccount {
            $0.dropbox.jobPolls = nil
        } perform: { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(60) { try storage.write(Data(), to: path.string) }
            try storage.makeFolder(at: "/target")
            let moves = Self.paths(60).map { ItemMove(path: $0, to: "/target/\($0.lastName)") }
            let results = try await provider.moveItems(moves, overwrite: false)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            #expect(Self.exchanges(lab) == ["files/get_metadata": 1, "files/move_batch_v2": 1])
            #expect(Self.paths(60, in: "/target").allSatisfy { storage.entry(at: $0.string) != nil })
        }
    }

    @Test(
        "after a lost answer each move is looked at, and none is made again",
        arguments: [true, false]
    )
    func lostMoves(isDone: Bool) async throws {
        try await withAccount {
            $0.dropbox.jobPolls = nil
        } perform: { provider, lab in
            let storage = lab.dropbox.account.storage
            for path in Self.paths(3) { try storage.write(Data(), to: path.string) }
            try storage.makeFolder(at: "/target")
            // Of an item that was never seen nobody could say that it is the one at the target.
            _ = try await provider.contentsOfDirectory(path: .root)
            lab.faults.add(isDone ? .loseAnswer : .cutBeforeCommit, route: "files/move_batch_v2")
            let moves = Self.paths(3).map { ItemMove(path: $0, to: "/target/\($0.lastName)") }
            let results = try await provider.moveItems(moves, overwrite: false)
            #expect(results.allSatisfy { ((try? $0.get()) != nil) == isDone })
            #expect(Self.paths(3, in: "/target").allSatisfy { (storage.entry(at: $0.string) != nil) == isDone })
            #expect(lab.journal.exchanges(route: "files/move_batch_v2").count == 1)
            #expect(lab.journal.exchanges(route: "files/move_v2").isEmpty)
        }
    }

    @Test("a move that replaces something goes by itself, the others together")
    func replacing() async throws {
        try await withAccount { provider, lab in
            let storage = lab.dropbox.account.storage
            for name in ["a", "b", "c"] { try storage.write(Data(name.utf8), to: "/\(name)") }
            try storage.write(Data("old".utf8), to: "/target/b")
            let moves = ["a", "b", "c"].map { ItemMove(path: "/\($0)", to: "/target/\($0)") }
            let results = try await provider.moveItems(moves, overwrite: true)
            #expect(results.allSatisfy { (try? $0.get()) != nil })
            for name in ["a", "b", "c"] { #expect(storage.contents(at: "/target/\(name)") == Data(name.utf8)) }
            #expect(lab.journal.exchanges(route: "files/move_batch_v2").count == 1)
            #expect(lab.journal.exchanges(route: "files/move_v2").count == 1)
        }
    }

    // MARK: By a script

    private static let busy = #"{".tag":"too_many_write_operations"}"#

    private static func outcome(_ entries: String...) -> ScriptedTransport.Answer {
        .json(#"{".tag":"complete","entries":[\#(entries.joined(separator: ","))]}"#)
    }

    private static func removed(_ name: String) -> String {
        #"{".tag":"success","metadata":\#(DropboxJSON.file(name))}"#
    }

    private static func refused(_ reason: String) -> String { #"{".tag":"failure","failure":\#(reason)}"# }

    private static let begun = ScriptedTransport.Answer.json(#"{".tag":"async_job_id","async_job_id":"1"}"#)

    @Test("an item that a lost job has not come to is in doubt, and is not removed by a second request")
    func openJob() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/delete_batch": Self.begun
            case "files/delete_batch/check": .json("no such job", status: 403)
            default:
                sent.argument.contains("a.txt")
                    ? .refusal(#"{".tag":"path","path":{".tag":"not_found"}}"#) : .json(DropboxJSON.file("b.txt"))
            }
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt"])
        #expect((try? results[0].get()) != nil)
        let error = #expect(throws: URLError.self) { try results[1].get() }
        #expect(error?.leavesDoubt == true)
        #expect(transport.sent.count { $0.route.hasPrefix("files/delete") } == 2)
    }

    @Test("after a lost answer without a connection, not each item is waited for")
    func unreachable() async throws {
        let paths = Self.paths(100)
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            if sent.route == "files/delete_batch" { return Self.begun }
            throw URLError(.cannotConnectToHost)
        }
        let results = try await provider.removeItems(paths)
        // The job may go on: nobody may think that nothing was asked for.
        #expect(results.count == 100)
        #expect(results.allSatisfy { if case .failure(let error) = $0 { error.leavesDoubt } else { false } })
        #expect(transport.sent.count < 20)
    }

    @Test("cancelled while a job is under way, nothing more is asked for")
    func cancelled() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, number in
            guard number > 0 else { return Self.begun }
            withUnsafeCurrentTask { $0?.cancel() }
            return .json(#"{".tag":"in_progress"}"#)
        }
        await #expect(throws: CancellationError.self) {
            try await Task { try await provider.removeItems(["/a.txt", "/b.txt"]) }.value
        }
        #expect(transport.sent.map(\.route) == ["files/delete_batch", "files/delete_batch/check"])
    }

    @Test("what Dropbox was too busy for is sent again, and nothing else")
    func busyEntry() async throws {
        let clock = InstantClock()
        let (provider, transport) = try DropboxFileProvider.scripted(clock: clock) { _, number in
            number == 0
                ? Self.outcome(Self.removed("a.txt"), Self.refused(Self.busy), Self.removed("c.txt"))
                : Self.outcome(Self.removed("b.txt"))
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt", "/c.txt"])
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(transport.sent.map(\.route) == ["files/delete_batch", "files/delete_batch"])
        let again = transport.sent.last?.argument ?? ""
        #expect(again.contains("b.txt") && !again.contains("a.txt") && !again.contains("c.txt"))
        #expect(!clock.waits.isEmpty)
    }

    @Test("an item that is refused keeps no other from its removal, and has the error of a single one")
    func refusedEntry() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            let reason = #"{".tag":"path_write","path_write":{".tag":"no_write_permission"}}"#
            return Self.outcome(Self.removed("a.txt"), Self.refused(reason))
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt"])
        #expect(results.map { (try? $0.get()) != nil } == [true, false])
        let error = #expect(throws: CocoaError.self) { try results[1].get() }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(error?.userInfo[NSFilePathErrorKey] as? String == "/b.txt")
    }

    @Test("where one entry makes no sense to Dropbox, each goes by itself")
    func malformed() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/delete_v2"
                ? .json(#"{"metadata":\#(DropboxJSON.file("a.txt"))}"#)
                : .init(status: 400, body: "Error in call to API function")
        }
        let results = try await provider.removeItems(["/a.txt", "/b.txt"])
        #expect(results.allSatisfy { (try? $0.get()) != nil })
        #expect(transport.sent.map(\.route) == ["files/delete_batch", "files/delete_v2", "files/delete_v2"])
    }

    @Test("a move that has failed inside of Dropbox is looked at, and is not made again")
    func internalError() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/move_batch_v2":
                Self.outcome(
                    Self.refused(#"{".tag":"internal_error"}"#),
                    #"{".tag":"success","success":\#(DropboxJSON.file("d.txt"))}"#
                )
            case "files/get_metadata": .missing
            default: .json(#"{"metadata":\#(DropboxJSON.file("c.txt"))}"#)
            }
        }
        let moves = [ItemMove(path: "/a.txt", to: "/c.txt"), ItemMove(path: "/b.txt", to: "/d.txt")]
        let results = try await provider.moveItems(moves, overwrite: false)
        #expect(results.map { (try? $0.get()) != nil } == [false, true])
        #expect(transport.sent.map(\.route) == ["files/move_batch_v2", "files/get_metadata"])
    }
}
