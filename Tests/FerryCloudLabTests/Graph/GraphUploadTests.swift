import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: uploads")
struct GraphUploadTests {
    private static let unit = 320 * 1024
    private static let bytes = (0..<2 * unit + 5).map { UInt8(truncatingIfNeeded: $0 % 251) }

    private func session(_ client: GraphClient, _ path: String = "/f.bin", _ item: JSONValue = [:]) async throws
        -> (url: String?, answer: LabClient.Answer)
    {
        let answer = try await client.send(.POST, "/me/drive/root:\(path):/createUploadSession", ["item": item])
        return (answer.json["uploadUrl"]?.string, answer)
    }

    @Test("a file is stored by path or by id, and a conflict fails, replaces or renames")
    func simple() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let first = try await client.upload("1", to: "/new/a.txt")
            #expect(first.status == 201)
            let id = first.json["id"]?.string ?? ""
            let second = try await client.send(.PUT, "/me/drive/items/\(id)/content", body: Array("22".utf8))
            #expect(second.status == 200 && second.json["cTag"] != first.json["cTag"])
            let query = "/me/drive/root:/new/A.txt:/content?@microsoft.graph.conflictBehavior="
            #expect(try await client.send(.PUT, query + "fail", body: [1]).code == "nameAlreadyExists")
            #expect(try await client.send(.PUT, query + "rename", body: [1]).json["name"] == "A 1.txt")
            #expect(try await client.send(.PUT, query + "replace", body: [1]).json["id"] == first.json["id"])
            #expect(try await client.send(.PUT, query + "other", body: [1]).status == 400)
            #expect(try await client.send(.PUT, "/me/drive/root:/new:/content", body: [1]).status == 409)
        }
    }

    @Test("a condition that doesn't hold leaves the file as it is")
    func conditions() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let item = try await client.upload("1", to: "/a.txt").json
            try await client.upload("2", to: "/a.txt")
            func put(_ name: String, _ value: JSONValue?) async throws -> LabClient.Answer {
                let field: HTTPHeaders = [name: value?.string ?? ""]
                return try await client.send(.PUT, "/me/drive/root:/a.txt:/content", body: [0x33], headers: field)
            }
            let stale = try await put("If-Match", item["eTag"])
            #expect(stale.status == 412 && stale.code == "resourceModified")
            #expect(try await put("If-None-Match", "*").status == 412)
            #expect(lab.graph.account.storage.contents(at: "/a.txt") == Data("2".utf8))
            let now = try await client.get("/me/drive/root:/a.txt").json
            #expect(try await put("If-Match", now["cTag"]).status == 200)
        }
    }

    @Test("a session takes fragments in order, and says what is missing")
    func sessions() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let dates: JSONValue = ["fileSystemInfo": ["lastModifiedDateTime": "2020-01-02T03:04:05.678+01:00"]]
            let (url, answer) = try await session(client, "/deep/er/f.bin", dates)
            #expect(answer.status == 200 && answer.json["nextExpectedRanges"] == ["0-"])
            #expect(url?.hasPrefix(lab.graph.contentURL.absoluteString + "/up/") == true)
            let (bytes, unit) = (Self.bytes, Self.unit)
            let first = try await GraphClient.fragment(url, 0..<unit, of: bytes)
            #expect(first.status == 202 && first.json["nextExpectedRanges"] == ["327680-"])
            let overlap = try await GraphClient.fragment(url, 0..<unit, of: bytes)
            #expect(overlap.status == 416 && overlap.innerCode == "fragmentOverlap")
            let gap = try await GraphClient.fragment(url, 2 * unit..<2 * unit + 5, of: bytes)
            #expect(gap.status == 416 && gap.innerCode == "fragmentOutOfOrder")
            let state = try await GraphClient.open(url)
            #expect(state.status == 200 && state.json["nextExpectedRanges"] == ["327680-655364"])
            let last = try await GraphClient.fragment(url, unit..<bytes.count, of: bytes)
            #expect(last.status == 201 && last.json["size"] == .integer(Int64(bytes.count)))
            #expect(last.json["fileSystemInfo"]?["lastModifiedDateTime"] == "2020-01-02T02:04:05.678Z")
            #expect(lab.graph.account.storage.contents(at: "/deep/er/f.bin") == Data(bytes))
            #expect(try await GraphClient.open(url).status == 404)
        }
    }

    @Test("a fragment of a wrong size, with another total or with a token is refused")
    func strictFragments() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let (url, _) = try await session(client)
            let bytes = Self.bytes
            #expect(try await GraphClient.fragment(url, 0..<Self.unit - 1, of: bytes).status == 400)
            let field: HTTPHeaders = ["Authorization": "Bearer \(client.token)", "Content-Range": "bytes 0-0/1"]
            #expect(try await GraphClient.open(url, method: .PUT, headers: field, body: [1]).status == 401)
            #expect(try await GraphClient.open(url, headers: ["Authorization": "Bearer x"]).status == 401)
            #expect(try await GraphClient.open(url, method: .PUT, body: [1]).status == 400)
            let wrong: HTTPHeaders = ["Content-Range": "bytes 0-9/10"]
            #expect(
                try await GraphClient.open(url, method: .PUT, headers: wrong, body: [1]).innerCode
                    == "fragmentLengthMismatch"
            )
            #expect(try await GraphClient.fragment(url, 0..<Self.unit, of: bytes).status == 202)
            let other = try await GraphClient.fragment(url, Self.unit..<2 * Self.unit, of: bytes, total: 2 * Self.unit)
            #expect(other.status == 400)
            lab.graph.settings.maximumFragment = Int64(Self.unit)
            #expect(try await GraphClient.fragment(url, Self.unit..<2 * Self.unit, of: bytes).status == 413)
        }
    }

    @Test("a name that is taken meanwhile is told at the end, and the session can be stored under another one")
    func lateConflict() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let onlyNew: JSONValue = ["@microsoft.graph.conflictBehavior": "fail"]
            let (url, _) = try await session(client, "/f.bin", onlyNew)
            try await client.upload("other", to: "/f.bin")
            let late = try await GraphClient.fragment(url, 0..<3, of: [1, 2, 3])
            #expect(late.status == 409 && late.code == "nameAlreadyExists")
            let body: JSONValue = ["@microsoft.graph.sourceUrl": url.map { .string($0) } ?? .null]
            let made = try await client.send(.PUT, "/me/drive/root:/g.bin", body)
            #expect(made.status == 201 && made.json["name"] == "g.bin")
            #expect(lab.graph.account.storage.contents(at: "/g.bin") == Data([1, 2, 3]))
            let taken = try await session(client, "/f.bin", onlyNew)
            #expect(taken.answer.status == 409)
            let replacing = try await session(client, "/f.bin", ["@microsoft.graph.conflictBehavior": "replace"])
            #expect(try await GraphClient.fragment(replacing.url, 0..<1, of: [7]).status == 200)
        }
    }

    @Test("a session ends when it is cancelled, or after its time")
    func endings() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            let (url, _) = try await session(client)
            #expect(try await GraphClient.open(url, method: .DELETE).status == 204)
            #expect(try await GraphClient.fragment(url, 0..<1, of: [1]).status == 404)
            let (other, answer) = try await session(client)
            #expect(answer.json["expirationDateTime"] == "2026-01-03T00:00:00Z")
            lab.clock.advance(by: .seconds(2 * 86400))
            #expect(try await GraphClient.fragment(other, 0..<1, of: [1]).status == 404)
        }
    }

    @Test("an upload that is put off is stored by an order of its own")
    func deferred() async throws {
        try await withCloudLab { lab in
            let account = lab.graph.makeAccount(email: "b@example.com", driveType: .business)
            let client = GraphClient(lab, account: account)
            let answer = try await client.send(
                .POST,
                "/me/drive/root:/f.bin:/createUploadSession",
                ["item": ["fileSize": 3], "deferCommit": true]
            )
            let url = answer.json["uploadUrl"]?.string
            #expect(try await GraphClient.fragment(url, 0..<4, of: [1, 2, 3, 4]).status == 400)
            #expect(try await GraphClient.open(url, method: .POST).status == 400)
            #expect(try await GraphClient.fragment(url, 0..<3, of: [1, 2, 3]).status == 202)
            #expect(account.storage.entries.isEmpty)
            #expect(try await GraphClient.open(url, method: .POST).status == 201)
            #expect(account.storage.contents(at: "/f.bin") == Data([1, 2, 3]))
        }
    }

    @Test("a file beyond the quota, or too large for one request, is refused")
    func limits() async throws {
        var options = CloudLab.Options()
        options.quota = 3
        options.graph.maximumSimpleUpload = 4
        try await withCloudLab(options) { lab in
            let client = GraphClient(lab)
            let full = try await client.upload("1234", to: "/new/a.txt")
            #expect(full.status == 507 && full.code == "quotaLimitReached")
            #expect(try await client.upload("12345", to: "/a.txt").status == 413)
            #expect(try await session(client, "/f.bin", ["fileSize": 4]).answer.status == 507)
            let (url, _) = try await session(client)
            #expect(try await GraphClient.fragment(url, 0..<4, of: [1, 2, 3, 4]).status == 507)
            #expect(lab.graph.account.storage.entries.isEmpty)
        }
    }

    @Test("SharePoint changes an Office file after its upload, and no other")
    func rewriting() async throws {
        var options = CloudLab.Options()
        options.graph.rewritesOfficeFiles = true
        options.graph.driveType = .business
        try await withCloudLab(options) { lab in
            let client = GraphClient(lab)
            let office = try await client.upload("1", to: "/a.docx").json
            let plain = try await client.upload("1", to: "/a.txt").json
            #expect(office["size"] != 1 && plain["size"] == 1)
            #expect(office["file"]?["hashes"] != plain["file"]?["hashes"])
        }
    }

    @Test(
        "the hash of a file doesn't depend on the pieces in which it arrives",
        arguments: [1, 7, 159, 160, 163, 1000]
    )
    func pieces(_ size: Int) {
        let bytes = CloudHashTests.pattern.prefix(5000)
        var hasher = CloudHasher([.quickXor])
        var rest = bytes[...]
        while !rest.isEmpty {
            hasher.update(CloudContent(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(hasher.finalize() == CloudHasher.hashes(of: CloudContent(bytes), [.quickXor]))
        #expect(hasher.finalize()[.quickXor] == Self.slowHash(Array(bytes)))
    }

    /// QuickXorHash bit by bit, as its description has it.
    private static func slowHash(_ bytes: [UInt8]) -> String {
        var bits = [Bool](repeating: false, count: 160)
        func flip(_ place: Int, _ byte: UInt8) {
            for bit in 0..<8 where byte >> bit & 1 == 1 { bits[(place + bit) % 160].toggle() }
        }
        for (index, byte) in bytes.enumerated() { flip(index * 11 % 160, byte) }
        for index in 0..<8 { flip(96 + index * 8, UInt8(truncatingIfNeeded: bytes.count >> (index * 8))) }
        let result = stride(from: 0, to: 160, by: 8).map { start in
            (0..<8).reduce(UInt8(0)) { bits[start + $1] ? $0 | 1 << $1 : $0 }
        }
        return Data(result).base64EncodedString()
    }
}
