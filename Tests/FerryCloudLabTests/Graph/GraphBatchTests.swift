import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: batches and faults")
struct GraphBatchTests {
    private func answers(_ answer: LabClient.Answer) -> [String: JSONValue] {
        var answers: [String: JSONValue] = [:]
        for value in answer.json["responses"]?.array ?? [] { answers[value["id"]?.string ?? ""] = value }
        return answers
    }

    @Test("each request of a batch has its own status, and one that depends on a failure isn't tried")
    func batches() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let folder: JSONValue = ["name": "f", "folder": [:]]
            let json: JSONValue = ["Content-Type": "application/json"]
            let requests: [JSONValue] = [
                ["id": "1", "method": "POST", "url": "/me/drive/root/children", "headers": json, "body": folder],
                [
                    "id": "2", "method": "PUT", "url": "/me/drive/root:/f/a:/content", "dependsOn": ["1"],
                    "headers": ["Content-Type": "text/plain"], "body": "aGVsbG8=",
                ],
                ["id": "3", "method": "GET", "url": "me/drive/root:/none"],
                ["id": "4", "method": "DELETE", "url": "/me/drive/root:/f", "dependsOn": ["3"]],
                ["id": "5", "method": "GET", "url": "/me/drive/root:/f/a:/content"],
            ]
            let found = answers(try await client.send(.POST, "/$batch", ["requests": .array(requests)]))
            #expect(["1", "2", "3", "4", "5"].map { found[$0]?["status"] } == [201, 201, 404, 424, 302])
            #expect(found["2"]?["body"]?["name"] == "a" && found["3"]?["body"]?["error"]?["code"] == "itemNotFound")
            #expect(found["5"]?["headers"]?["Location"]?.string?.hasPrefix("http://127.0.0.1") == true)
            #expect(lab.graph.account.storage.contents(at: "/f/a") == Data("hello".utf8))
            #expect(lab.journal.exchanges.map(\.route) == ["$batch"])
        }
    }

    @Test("a batch that is too large, or not well formed, is refused as a whole")
    func strictBatches() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            func request(_ id: Int) -> JSONValue { ["id": .string("\(id)"), "method": "GET", "url": "/me/drive"] }
            let cases: [([JSONValue], Int)] = [
                ((0..<20).map(request), 200), ((0..<21).map(request), 400), ([request(1), request(1)], 400),
                ([["id": "1", "method": "GET"]], 400), ([], 400),
                ([["id": "1", "method": "GET", "url": "/me", "dependsOn": ["2"]]], 400),
            ]
            for (requests, status) in cases {
                let answer = try await client.send(.POST, "/$batch", ["requests": .array(requests)])
                #expect(answer.status == status, "\(requests.count) requests")
            }
        }
    }

    @Test("a request of a batch is throttled on its own")
    func throttledBatches() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(3)), route: "drive", skipping: 1)
            let requests = ["1", "2", "3"].map { id -> JSONValue in
                ["id": .string(id), "method": "GET", "url": "/me/drive"]
            }
            let found = answers(try await client.send(.POST, "/$batch", ["requests": .array(requests)]))
            #expect(["1", "2", "3"].map { found[$0]?["status"] } == [200, 429, 200])
            #expect(found["2"]?["headers"]?["Retry-After"] == "3")
        }
    }

    @Test("throttling, errors, tokens and sessions fail on demand, in the words of the service")
    func faults() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            lab.faults.add(.tooManyRequests(retryAfter: .seconds(7), asDate: true), service: "graph")
            let many = try await client.get("/me/drive")
            #expect(many.status == 429 && many.code == "activityLimitReached")
            #expect(many.headers.first(name: "retry-after") == "Thu, 01 Jan 2026 00:00:07 GMT")
            lab.faults.add(.tooManyWrites(retryAfter: .seconds(2)), route: "upload")
            let writes = try await client.upload("1", to: "/a")
            #expect(writes.status == 503 && writes.code == "serviceNotAvailable")
            #expect(writes.headers.first(name: "retry-after") == "2")
            lab.faults.add(.serverError(status: 500))
            #expect(try await client.get("/me/drive").code == "generalException")
            lab.faults.add(.loseAnswer, route: "createFolder")
            await #expect(throws: LabClient.NoAnswer.self) {
                try await client.send(.POST, "/me/drive/root/children", ["name": "kept", "folder": [:]])
            }
            #expect(lab.graph.account.storage.entries.map(\.path) == ["/kept"])

            let session = try await client.send(.POST, "/me/drive/root:/b:/createUploadSession", [:])
            let url = session.json["uploadUrl"]?.string
            lab.faults.add(.storeHalf, route: "fragment")
            #expect(try await GraphClient.fragment(url, 0..<4, of: [1, 2, 3, 4]).status == 500)
            #expect(try await GraphClient.open(url).json["nextExpectedRanges"] == ["2-3"])
            #expect(try await GraphClient.fragment(url, 2..<4, of: [1, 2, 3, 4]).status == 201)
            #expect(lab.graph.account.storage.contents(at: "/b") == Data([1, 2, 3, 4]))
            let other = try await client.send(.POST, "/me/drive/root:/c:/createUploadSession", [:])
            lab.faults.add(.expireSession, route: "fragment")
            let gone = try await GraphClient.fragment(other.json["uploadUrl"]?.string, 0..<1, of: [1])
            #expect(gone.status == 404)
            lab.faults.add(.expireToken, route: "drive")
            #expect(try await client.get("/me/drive").status == 401)
            #expect(try await client.get("/me").status == 401)
        }
    }
}
