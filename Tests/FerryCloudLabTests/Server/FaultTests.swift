import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Faults and the journal")
struct FaultTests {
    @Test("a fault meets the requests that it is for, and no others")
    func counts() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            lab.faults.add(
                .serverError(status: 503, retryAfter: .seconds(2)),
                route: "check/user",
                skipping: 1,
                count: 2
            )
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await client.call("check/user", [:]).status) }
            #expect(statuses == [200, 503, 503, 200])
            #expect(lab.faults.isEmpty)
            #expect(lab.journal.exchanges(route: "check/user").map(\.status) == [200, 503, 503, 200])
            #expect(lab.journal.exchanges.map(\.fault) == [nil, "serverError 503", "serverError 503", nil])
        }
    }

    @Test("too many requests are told in seconds or as a date")
    func tooMany() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(7)))
            let seconds = try await client.call("check/user", [:])
            #expect(seconds.status == 429 && seconds.headers.first(name: "retry-after") == "7")
            #expect(seconds.json["error"] == ["reason": [".tag": "too_many_requests"], "retry_after": 7])
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(7), asDate: true))
            let date = try await client.call("check/user", [:])
            #expect(date.headers.first(name: "retry-after") == "Thu, 01 Jan 2026 00:00:07 GMT")
            #expect(date.headers.first(name: "date") == "Thu, 01 Jan 2026 00:00:00 GMT")
        }
    }

    @Test("a cut before the commit leaves nothing, a lost answer leaves the file")
    func cuts() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            for fault in [Fault.cutBeforeCommit, .cutRequest(afterBytes: 10), .loseAnswer] {
                lab.faults.add(fault)
                await #expect(throws: LabClient.NoAnswer.self) {
                    try await client.upload(["path": .string("/" + fault.name)], [UInt8](repeating: 1, count: 100))
                }
            }
            #expect(lab.dropbox.account.storage.entries.map(\.path) == ["/loseAnswer"])
        }
    }

    @Test("a truncated body ends early, a slow one comes as a whole")
    func bodies() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data(CloudHashTests.pattern), to: "/a")
            let client = DropboxClient(lab)
            lab.faults.add(.truncateBody(afterBytes: 1000))
            let cut = try await client.download(["path": "/a"])
            #expect(!cut.isComplete && cut.body.count == 1000)
            lab.faults.add(.slowBody(pause: .milliseconds(1)))
            let whole = try await client.download(["path": "/a"])
            #expect(whole.isComplete && whole.body == CloudHashTests.pattern)
            #expect(lab.journal.exchanges.map(\.responseBytes) == [1000, Int64(CloudHashTests.pattern.count)])
        }
    }

    @Test("tokens, cursors, sessions and jobs fail on demand")
    func states() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let cursor = try await client.list(["path": ""]).cursor
            lab.faults.add(.resetCursor, route: "files/list_folder/continue")
            let reset = try await client.call("files/list_folder/continue", ["cursor": .string(cursor)])
            #expect(reset.summary == "reset/..")

            let start = try await client.upload("files/upload_session/start", [:], [1, 2]).json
            func place(_ offset: Int64) -> JSONValue {
                ["cursor": ["session_id": start["session_id"] ?? .null, "offset": .integer(offset)]]
            }
            lab.faults.add(.storeHalf, route: "files/upload_session/append_v2")
            let half = try await client.upload("files/upload_session/append_v2", place(2), [3, 4, 5, 6])
            #expect(half.status == 500)
            let again = try await client.upload("files/upload_session/append_v2", place(2), [3, 4, 5, 6])
            #expect(again.json["error"]?["correct_offset"] == 4)
            lab.faults.add(.expireSession, route: "files/upload_session/append_v2")
            let gone = try await client.upload("files/upload_session/append_v2", place(4), [5, 6])
            #expect(gone.summary == "not_found/..")

            lab.faults.add(.slowJob(polls: 2), route: "files/delete_batch")
            let job = try await client.call("files/delete_batch", ["entries": [["path": "/none"]]]).json
            let question: JSONValue = ["async_job_id": job["async_job_id"] ?? .null]
            var tags: [JSONValue?] = []
            for _ in 0..<3 { tags.append(try await client.call("files/delete_batch/check", question).json[".tag"]) }
            #expect(tags == ["in_progress", "in_progress", "complete"])
            let stranger = try await client.call("files/copy_batch/check_v2", question)
            #expect(stranger.summary == "invalid_async_job_id/..")

            lab.faults.add(.expireToken)
            #expect(try await client.call("check/user", [:]).summary == "expired_access_token/..")
            #expect(try await client.call("check/user", [:]).status == 401)
        }
    }

    @Test("a seed chooses the same faults every time")
    func seeds() {
        func choices(_ seed: UInt64) -> [String] {
            let plan = FaultPlan()
            plan.seed(seed, probability: 0.3)
            return (0..<200).map { _ in plan.next(service: "dropbox", route: "files/upload")?.name ?? "" }
        }
        #expect(choices(1) == choices(1))
        #expect(choices(1) != choices(2))
        #expect((20...100).contains(choices(1).count { !$0.isEmpty }))
    }

    @Test("the journal counts bytes, and is written as lines of JSON")
    func journal() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            _ = try await client.upload(["path": "/a"], [1, 2, 3])
            _ = try await client.download(["path": "/a"], range: "bytes=1-")
            let exchanges = lab.journal.exchanges
            #expect(exchanges.map(\.requestBytes) == [3, 0])
            #expect(exchanges.last?.range == "bytes=1-" && exchanges.last?.responseBytes == 2)
            let lines = lab.journal.jsonLines.split(separator: "\n")
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let decoded = try lines.map { try decoder.decode(Exchange.self, from: Data($0.utf8)) }
            #expect(decoded == exchanges)
        }
    }
}
