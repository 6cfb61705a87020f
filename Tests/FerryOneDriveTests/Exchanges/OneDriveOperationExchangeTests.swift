import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryOneDrive

@Suite("Exchanges of moves, copies and removals")
struct OneDriveOperationExchangeTests {
    private static let monitor = "https://monitor.example/job"
    private static let missing = ScriptedTransport.Answer.refusal("itemNotFound", status: 404)
    private static let unavailable = ScriptedTransport.Answer.refusal("serviceNotAvailable", status: 503)

    private static func file(_ name: String, id: String, drive: String = "d") -> ScriptedTransport.Answer {
        .json(
            #"""
            {"id": "\#(id)", "name": "\#(name)", "size": 1, "eTag": "\"e\#(id)\"", "file": {},
            "parentReference": {"driveId": "\#(drive)", "id": "top"}}
            """#
        )
    }

    private static let top = ScriptedTransport.Answer.json(
        #"{"id": "top", "name": "root", "root": {}, "folder": {}, "parentReference": {"driveId": "d"}}"#
    )

    private static let shortcut = ScriptedTransport.Answer.json(
        #"""
        {"id": "s", "name": "Team", "parentReference": {"driveId": "d"},
        "remoteItem": {"id": "r", "folder": {}, "parentReference": {"driveId": "other"}}}
        """#
    )

    /// Makes a provider of a drive with `/a.txt` and `/b.txt`, where copies are a job.
    private static func copying(
        clock: InstantClock = InstantClock(),
        job: @escaping @Sendable (_ poll: Int) throws -> ScriptedTransport.Answer
    ) throws -> (provider: OneDriveFileProvider, transport: ScriptedTransport) {
        try OneDriveFileProvider.scripted(clock: clock) { sent, _ in
            switch (sent.head.method, sent.route) {
            case (.post, _): .init(status: 202, fields: [.location: monitor])
            // There is a pause after each poll.
            case (_, "GET /job"): try job(clock.waits.count)
            case (_, "GET /me/drive/root"): top
            case (_, "GET /me/drive/root:/a.txt"): file("a.txt", id: "1")
            case (_, "GET /me/drive/root:/b.txt"): file("b.txt", id: "2")
            case (_, "GET /me/drive/items/3"), (_, "GET /drives/d/items/3"): file("b 1.txt", id: "3")
            default: missing
            }
        }
    }

    // MARK: Jobs

    @Test("the copy of a job that ends with a redirect is what the service names, in the body or by the address")
    func redirected() async throws {
        let url = "https://graph.microsoft.com/v1.0/drives/d/items/3"
        let answers: [ScriptedTransport.Answer] = [
            .init(status: 303, fields: [.location: url], body: #"{"resourceId": "3"}"#),
            .init(status: 303, fields: [.location: url]), .json(#"{"status": "completed", "resourceId": "3"}"#),
        ]
        for answer in answers {
            let (provider, transport) = try Self.copying { _ in answer }
            let copy = try await provider.copyItem(path: "/a.txt", keepingBothAt: "/b.txt", reporting: nil)
            #expect(copy.path == "/b 1.txt" && copy.id == "3")
            #expect(transport.sent.last?.head.headerFields[.authorization] == "Bearer secret")
            #expect(transport.sent.allSatisfy { $0.head.method != .patch })
        }
    }

    @Test(
        "a copy that the service does not name is not taken for the item that had the name before",
        arguments: [
            ScriptedTransport.Answer(status: 303), .json(#"{"status": "completed"}"#),
        ]
    )
    func unnamed(answer: ScriptedTransport.Answer) async throws {
        let (provider, _) = try Self.copying { _ in answer }
        let error = await #expect(throws: URLError.self) {
            try await provider.copyItem(path: "/a.txt", keepingBothAt: "/b.txt", reporting: nil)
        }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("a question about a job that fails does not begin another job")
    func failedPoll() async throws {
        let (provider, transport) = try Self.copying { _ in throw URLError(.networkConnectionLost) }
        await #expect(throws: URLError.self) {
            try await provider.copyItem(path: "/a.txt", to: "/new.txt", overwrite: false)
        }
        #expect(transport.sent.count { $0.head.method == .post } == 1)
        #expect(transport.sent.count { $0.route == "GET /job" } > 1)
    }

    @Test("any number is taken as a percentage", arguments: ["1e30", "-1e30", "-5", "9000000000000000000", "50.5"])
    func percentage(number: String) async throws {
        let (provider, _) = try Self.copying { poll in
            poll == 0
                ? .json(#"{"status": "inProgress", "percentageComplete": \#(number)}"#)
                : .json(#"{"status": "completed", "resourceId": "3"}"#)
        }
        let progress = Progress(totalUnitCount: 1)
        let copy = try await provider.copyItem(path: "/a.txt", keepingBothAt: "/b.txt", reporting: progress)
        #expect(copy.id == "3")
    }

    @Test("a job that makes no progress is given up after half an hour, and one that does is not")
    func standstill() async throws {
        let clock = InstantClock()
        let (provider, transport) = try Self.copying(clock: clock) { poll in
            .json(#"{"status": "inProgress", "percentageComplete": \#(poll < 400 ? poll / 200 : 2)}"#)
        }
        let error = await #expect(throws: URLError.self) {
            try await provider.copyItem(path: "/a.txt", to: "/new.txt", overwrite: false)
        }
        #expect(error?.code == .timedOut)
        #expect(clock.waits.reduce(.zero, +) >= .seconds(60 * 60))
        #expect(transport.sent.count { $0.route == "GET /job" } < 1_000)
        #expect(transport.sent.count { $0.head.method == .post } == 1)
    }

    // MARK: A service that is overloaded

    @Test("what is refused as unavailable may have been done, so it is looked at before anything is repeated")
    func unavailableFolder() async throws {
        let made = #""createdDateTime": "2027-01-15T08:00:01Z", "parentReference": {"driveId": "d"}"#
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            sent.head.method == .post
                ? Self.unavailable : .json(#"{"id": "f", "name": "new", "folder": {"childCount": 0}, \#(made)}"#)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.count { $0.head.method == .post } == 1)
    }

    @Test("a removal and a folder under a free name that are refused as unavailable are not sent again")
    func unavailableOnce() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            sent.head.method == .get ? Self.missing : Self.unavailable
        }
        try await provider.removeItem(path: "/a.txt")
        let error = await #expect(throws: URLError.self) { try await provider.createFolder(keepingBothAt: "/new") }
        #expect(error?.code == .resourceUnavailable)
        #expect(transport.sent.map(\.head.method) == [.delete, .get, .post])
    }

    @Test("a question that is refused as unavailable is asked again")
    func unavailableItem() async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { _, number in
            number < 6 ? Self.unavailable : Self.file("a.txt", id: "1")
        }
        #expect(try await provider.attributesOfItem(path: "/a.txt").id == "1")
    }

    // MARK: Other drives

    @Test("a file that was copied to another drive is removed by its identifier, and only as it was when copied")
    func moveFromElsewhere() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in
            switch sent.route {
            case "GET /me/drive/root": Self.top
            case "GET /me/drive/root:/Team": Self.shortcut
            case "GET /drives/other/items/r:/a.txt": Self.file("a.txt", id: "9", drive: "other")
            case "POST /drives/other/items/9/copy": .init(status: 202, fields: [.location: Self.monitor])
            case "GET /job": .json(#"{"status": "completed", "resourceId": "3"}"#)
            case "GET /me/drive/items/3": Self.file("b.txt", id: "3")
            case "DELETE /drives/other/items/9": .refusal("resourceModified", status: 412)
            default: Self.missing
            }
        }
        await #expect(throws: PreconditionFailedError.self) {
            try await provider.moveItem(path: "/Team/a.txt", to: "/b.txt", overwrite: false)
        }
        #expect(transport.sent.last?.route == "DELETE /drives/other/items/9")
        #expect(transport.sent.last?.head.headerFields[.ifMatch] == "\"e9\"")
    }

    @Test(
        "a shortcut that somebody replaces by a folder leads nowhere else, at once where the folder was seen",
        arguments: [
            false, true,
        ]
    )
    func replacedShortcut(isSeen: Bool) async throws {
        let clock = InstantClock()
        let start = clock.now
        let (provider, transport) = try OneDriveFileProvider.scripted(clock: clock) { sent, _ in
            let isReplaced = clock.now - start > .seconds(1)
            switch sent.route {
            case "GET /me/drive/root:/Team" where isReplaced:
                return .json(#"{"id": "t", "name": "Team", "folder": {}, "parentReference": {"driveId": "d"}}"#)
            case "GET /me/drive/root:/Team": return Self.shortcut
            case "GET /me/drive/root:/Team/a.txt" where isReplaced: return Self.file("a.txt", id: "1")
            case "GET /drives/other/items/r:/a.txt": return Self.file("a.txt", id: "9", drive: "other")
            case "DELETE /me/drive/root:/Team/a.txt": return .init(status: 204)
            default: return Self.missing
            }
        }
        #expect(try await provider.attributesOfItem(path: "/Team/a.txt").id == "other#9")
        try await clock.sleep(for: .seconds(isSeen ? 2 : 20))
        if isSeen { #expect(try await provider.attributesOfItem(path: "/Team").id == "t") }
        #expect(try await provider.attributesOfItem(path: "/Team/a.txt").id == "1")
        try await provider.removeItem(path: "/Team/a.txt")
        #expect(transport.sent.last?.route == "DELETE /me/drive/root:/Team/a.txt")
    }

    @Test("an item below a shortcut is found again after a while")
    func agedShortcut() async throws {
        let clock = InstantClock()
        let (provider, _) = try OneDriveFileProvider.scripted(clock: clock) { sent, _ in
            switch sent.route {
            case "GET /me/drive/root:/Team": Self.shortcut
            case "GET /drives/other/items/r:/Sub":
                .json(#"{"id": "u", "name": "Sub", "folder": {}, "parentReference": {"driveId": "other"}}"#)
            case "GET /drives/other/items/r:/Sub/a.txt": Self.file("a.txt", id: "9", drive: "other")
            default: Self.missing
            }
        }
        #expect(try await provider.attributesOfItem(path: "/Team/Sub/a.txt").id == "other#9")
        try await clock.sleep(for: .seconds(8))
        #expect(try await provider.attributesOfItem(path: "/Team/Sub").id == "other#u")
        // The shortcut is no longer remembered, the folder below it is.
        try await clock.sleep(for: .seconds(4))
        #expect(try await provider.attributesOfItem(path: "/Team/Sub/a.txt").id == "other#9")
    }
}
