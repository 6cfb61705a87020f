import Foundation
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: uploads")
struct DropboxUploadTests {
    @Test("a mode decides what happens to a file that is there")
    func modes() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let first = try await client.upload(["path": "/A.txt"], Array("1".utf8)).json
            // Equal content is no conflict, and changes nothing.
            let equal = try await client.upload(
                ["path": "/a.TXT", "client_modified": "2001-01-01T00:00:00Z"],
                Array("1".utf8)
            ).json
            #expect(equal == first)
            let strict = try await client.upload(["path": "/a.txt", "strict_conflict": true], Array("1".utf8))
            #expect(strict.status == 409 && strict.summary == "path/conflict/file/..")
            #expect(strict.json["error"]?["upload_session_id"]?.string != nil)
            let renamed = try await client.upload(["path": "/a.txt", "autorename": true], Array("2".utf8)).json
            #expect(renamed["name"] == "a (1).txt")
            let stale: JSONValue = [
                "path": "/a.txt", "mode": [".tag": "update", "update": "5000000000fff"],
            ]
            #expect(try await client.upload(stale, Array("3".utf8)).status == 409)
            let update: JSONValue = [
                "path": "/a.txt", "mode": [".tag": "update", "update": first["rev"] ?? .null],
            ]
            let updated = try await client.upload(update, Array("3".utf8)).json
            #expect(updated["id"] == first["id"] && updated["rev"] != first["rev"])
            #expect(try await client.upload(["path": "/a.txt", "mode": "overwrite"], Array("4".utf8)).status == 200)
            #expect(lab.dropbox.account.storage.contents(at: "/a.txt") == Data("4".utf8))
            #expect(lab.dropbox.account.storage.entry(at: "/a.txt")?.path == "/A.txt")
        }
    }

    @Test("a session takes parts in order, and says where it is")
    func sessions() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let start = try await client.upload("files/upload_session/start", [:], Array("ab".utf8)).json
            func cursor(_ offset: Int64) -> JSONValue {
                ["session_id": start["session_id"] ?? .null, "offset": .integer(offset)]
            }
            let wrong = try await client.upload(
                "files/upload_session/append_v2",
                ["cursor": cursor(3)],
                Array("c".utf8)
            )
            #expect(wrong.json["error"] == [".tag": "incorrect_offset", "correct_offset": 2])
            let commit: JSONValue = ["path": "/f"]
            let early = try await client.upload(
                "files/upload_session/finish",
                ["cursor": cursor(1), "commit": commit],
                []
            )
            #expect(early.summary == "lookup_failed/incorrect_offset/..")
            #expect(
                try await client.upload(
                    "files/upload_session/append_v2",
                    ["cursor": cursor(2), "close": true],
                    Array("c".utf8)
                ).text == "null"
            )
            let late = try await client.upload("files/upload_session/append_v2", ["cursor": cursor(3)], Array("d".utf8))
            #expect(late.summary == "closed/..")
            let made = try await client.call(
                "files/upload_session/finish_batch_v2",
                ["entries": [["cursor": cursor(3), "commit": commit]]]
            )
            #expect(made.json["entries"]?.array?.first?[".tag"] == "success")
            #expect(lab.dropbox.account.storage.contents(at: "/f") == Data("abc".utf8))
            let gone = try await client.upload(
                "files/upload_session/finish",
                ["cursor": cursor(3), "commit": commit],
                []
            )
            #expect(gone.summary == "lookup_failed/not_found/..")
        }
    }

    @Test("a concurrent session takes aligned parts in any order")
    func concurrent() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let start = try await client.upload(
                "files/upload_session/start",
                ["session_type": [".tag": "concurrent"]],
                []
            ).json
            func cursor(_ offset: Int64) -> JSONValue {
                ["session_id": start["session_id"] ?? .null, "offset": .integer(offset)]
            }
            let part: Int64 = 4 << 20
            let bytes = CloudHashTests.pattern
            let odd = try await client.upload("files/upload_session/append_v2", ["cursor": cursor(5)], [1])
            #expect(odd.summary == "concurrent_session_invalid_offset/..")
            let short = try await client.upload("files/upload_session/append_v2", ["cursor": cursor(0)], [1])
            #expect(short.summary == "concurrent_session_invalid_data_size/..")
            let second = bytes.prefix(Int(part))
            #expect(
                try await client.upload("files/upload_session/append_v2", ["cursor": cursor(part)], second).status
                    == 200
            )
            let last = try await client.upload(
                "files/upload_session/append_v2",
                ["cursor": cursor(2 * part), "close": true],
                [7]
            )
            #expect(last.status == 200)
            let commit: JSONValue = ["cursor": cursor(2 * part + 1), "commit": ["path": "/f"]]
            let gap = try await client.upload("files/upload_session/finish", commit, [])
            #expect(gap.summary == "concurrent_session_missing_data/..")
        }
    }

    @Test("a session is gone after its time")
    func expiry() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let start = try await client.upload("files/upload_session/start", [:], []).json
            lab.clock.advance(by: .seconds(8 * 86400))
            let late = try await client.upload(
                "files/upload_session/append_v2",
                ["cursor": ["session_id": start["session_id"] ?? .null, "offset": 0]],
                [1]
            )
            #expect(late.summary == "not_found/..")
        }
    }

    @Test("a file beyond the quota, or with another hash than it should have, is refused")
    func refusals() async throws {
        var options = CloudLab.Options()
        options.quota = 3
        options.dropbox.maximumPayload = 4
        try await withCloudLab(options) { lab in
            let client = DropboxClient(lab)
            let full = try await client.upload(["path": "/new/a"], [1, 2, 3, 4])
            #expect(full.summary == "path/insufficient_space/..")
            let large = try await client.upload(["path": "/a"], [1, 2, 3, 4, 5])
            #expect(large.summary == "payload_too_large/..")
            let hash = JSONValue.string(CloudHashTests.vectors[1].dropbox)
            let damaged = try await client.upload(["path": "/a", "content_hash": hash], [1])
            #expect(damaged.summary == "content_hash_mismatch/..")
            #expect(lab.dropbox.account.storage.entries.isEmpty)
        }
    }
}
