import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Dropbox: operations")
struct DropboxOperationTests {
    @Test("a revision is listed and restored after a deletion, under the same id")
    func revisions() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let first = try await client.upload(["path": "/d/a"], [1]).json
            _ = try await client.upload(["path": "/d/a", "mode": "overwrite"], [2])
            _ = try await client.call("files/delete_v2", ["path": "/d"])
            let listed = try await client.call("files/list_revisions", ["path": "/D/A"]).json
            #expect(listed["is_deleted"] == true && listed["entries"]?.array?.count == 2)
            let deleted = try await client.call("files/get_metadata", ["path": "/d/a", "include_deleted": true])
            #expect(deleted.json[".tag"] == "deleted")
            let restored = try await client.call(
                "files/restore",
                ["path": "/d/a", "rev": first["rev"] ?? .null]
            ).json
            #expect(restored["id"] == first["id"])
            #expect(lab.dropbox.account.storage.contents(at: "/d/a") == Data([1]))
            let old = try await client.download(["path": .string("rev:" + (first["rev"]?.string ?? ""))])
            #expect(old.body == [1])
        }
    }

    @Test("a move keeps the id and gives a new revision, a copy gives a new id")
    func relocation() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            let file = try await client.upload(["path": "/a"], [1]).json
            let moved = try await client.call("files/move_v2", ["from_path": file["id"] ?? .null, "to_path": "/x/b"])
            #expect(moved.json["metadata"]?["id"] == file["id"])
            #expect(moved.json["metadata"]?["rev"] != file["rev"])
            let copied = try await client.call("files/copy_v2", ["from_path": "/x", "to_path": "/y"])
            #expect(copied.json["metadata"]?[".tag"] == "folder")
            #expect(lab.dropbox.account.storage.entries.map(\.path) == ["/x", "/x/b", "/y", "/y/b"])
            let inside = try await client.call("files/move_v2", ["from_path": "/x", "to_path": "/X/new/z"])
            #expect(inside.summary == "cant_move_folder_into_itself/..")
            let renamed = try await client.call(
                "files/copy_v2",
                ["from_path": "/x", "to_path": "/y", "autorename": true]
            )
            #expect(renamed.json["metadata"]?["name"] == "y (1)")
        }
    }

    @Test("a batch answers in the order of its entries, each with its own result")
    func batches() async throws {
        var options = CloudLab.Options()
        options.dropbox.jobPolls = nil
        try await withCloudLab(options) { lab in
            let client = DropboxClient(lab)
            let made = try await client.call("files/create_folder_batch", ["paths": ["/a", "/A", "/b"]]).json
            #expect(made[".tag"] == "complete")
            #expect(made["entries"]?.array?.map { $0[".tag"]?.string } == ["success", "failure", "success"])
            let moved = try await client.call(
                "files/move_batch_v2",
                ["entries": [["from_path": "/a", "to_path": "/c"], ["from_path": "/no", "to_path": "/d"]]]
            ).json
            #expect(moved["entries"]?.array?.last?["failure"]?["relocation_error"]?[".tag"] == "from_lookup")
        }
    }

    @Test("a copy reference brings files into another account")
    func copyReferences() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data([1]), to: "/a/b/c")
            let made = try await DropboxClient(lab).call("files/copy_reference/get", ["path": "/a"]).json
            let other = lab.dropbox.makeAccount(email: "other@example.com")
            let client = DropboxClient(lab, token: lab.dropbox.makeAccessToken(for: other))
            let saved = try await client.call(
                "files/copy_reference/save",
                ["copy_reference": made["copy_reference"] ?? .null, "path": "/x"]
            )
            #expect(saved.status == 200)
            #expect(other.storage.contents(at: "/x/b/c") == Data([1]))
        }
    }

    @Test("a link is made once, changed, listed and revoked")
    func links() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data([1]), to: "/a/b")
            let client = DropboxClient(lab)
            let route = "sharing/create_shared_link_with_settings"
            let link = try await client.call(
                route,
                ["path": "/a/b", "settings": ["expires": "2026-02-01T00:00:00Z"]]
            ).json
            #expect(link["expires"] == "2026-02-01T00:00:00Z")
            #expect(try await client.call(route, ["path": "/a/b"]).summary == "shared_link_already_exists/metadata/..")
            let bad = try await client.call(route, ["path": "/a", "settings": ["require_password": true]])
            #expect(bad.summary == "settings_error/invalid_settings/..")
            _ = try await client.call(route, ["path": "/a"])
            let all = try await client.call("sharing/list_shared_links", ["path": "/a/b"]).json
            #expect(all["links"]?.array?.count == 2)
            let direct = try await client.call("sharing/list_shared_links", ["path": "/a/b", "direct_only": true]).json
            #expect(direct["links"]?.array?.count == 1)
            let url: JSONValue = ["url": link["url"] ?? .null]
            #expect(try await client.call("sharing/revoke_shared_link", url).text == "null")
            #expect(try await client.call("sharing/revoke_shared_link", url).summary == "shared_link_not_found/..")
        }
    }

    @Test("a search finds beginnings of words in pages, with metadata nested twice")
    func search() async throws {
        try await withCloudLab { lab in
            for name in ["Report 1.pdf", "report 2.txt", "sub/my-report.pdf", "sub/report.PDF", "other"] {
                try lab.dropbox.account.storage.write(Data([1]), to: "/\(name)")
            }
            let client = DropboxClient(lab)
            var page = try await client.call("files/search_v2", ["query": "REPO"]).json
            #expect(page["matches"]?.array?.count == 3 && page["has_more"] == true)
            page = try await client.call("files/search/continue_v2", ["cursor": page["cursor"] ?? .null]).json
            #expect(page["matches"]?.array?.first?["metadata"]?["metadata"]?["name"]?.string != nil)
            #expect(page["matches"]?.array?.count == 1 && page["has_more"] == false)
            let some = try await client.call(
                "files/search_v2",
                ["query": "report", "options": ["path": "/sub", "file_extensions": ["pdf"]]]
            ).json
            #expect(some["matches"]?.array?.count == 2)
        }
    }

    @Test("a thumbnail of a picture is a picture of the size, and other files have none")
    func thumbnails() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.write(Data([1]), to: "/a.png")
            try lab.dropbox.account.storage.write(Data([1]), to: "/a.txt")
            let client = DropboxClient(lab)
            let argument: JSONValue = [
                "resource": [".tag": "path", "path": "/a.png"], "format": "png", "size": "w128h128",
            ]
            let picture = try await client.download("files/get_thumbnail_v2", argument)
            #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]) && picture.body[19] == 128)
            // The sizes where the formats have them: after JPEG's start of frame, and in WebP's first 28 bits.
            for (format, place, bytes) in [("jpeg", 94, [1, 0xE0, 2, 0x80]), ("webp", 21, [0x7F, 0xC2, 0x77, 0x10])] {
                let other = try await client.download(
                    "files/get_thumbnail_v2",
                    [
                        "resource": [".tag": "path", "path": "/a.png"], "format": [".tag": .string(format)],
                        "size": "w640h480",
                    ]
                )
                #expect(Array(other.body.dropFirst(place).prefix(4)) == bytes.map { UInt8($0) }, "\(format)")
            }
            let result = try JSONParser.parse((picture.headers.first(name: "dropbox-api-result") ?? "").utf8)
            #expect(result["file_metadata"]?["name"] == "a.png")
            let none = try await client.download(
                "files/get_thumbnail_v2",
                ["resource": [".tag": "path", "path": "/a.txt"]]
            )
            #expect(none.summary == "unsupported_extension/..")
        }
    }

    @Test("a file is saved from an address that the test has published, by a job")
    func savedURLs() async throws {
        try await withCloudLab { lab in
            let client = DropboxClient(lab)
            lab.dropbox.publish(Data([7]), at: "https://example.com/x")
            for (address, tag) in [("https://example.com/x", "complete"), ("https://example.com/y", "failed")] {
                let job = try await client.call("files/save_url", ["path": "/x", "url": .string(address)]).json
                let question: JSONValue = ["async_job_id": job["async_job_id"] ?? .null]
                let first = try await client.call("files/save_url/check_job_status", question).json
                #expect(first[".tag"] == "in_progress")
                let last = try await client.call("files/save_url/check_job_status", question).json
                #expect(last[".tag"]?.string == tag)
            }
            #expect(lab.dropbox.account.storage.contents(at: "/x") == Data([7]))
        }
    }

    @Test("a temporary upload link takes one file, without a token")
    func temporaryUploads() async throws {
        try await withCloudLab { lab in
            let made = try await DropboxClient(lab).call(
                "files/get_temporary_upload_link",
                ["commit_info": ["path": "/x"], "duration": 60]
            )
            let url = try #require(made.json["link"]?.string.flatMap { URL(string: $0) })
            var headers: HTTPHeaders = ["Content-Type": "application/octet-stream", "Authorization": "Bearer x"]
            #expect(try await LabClient.send(url, headers: headers, body: [1]).status == 401)
            headers.remove(name: "Authorization")
            #expect(try await LabClient.send(url, headers: headers, body: [1]).status == 200)
            #expect(try await LabClient.send(url, headers: headers, body: [1]).status == 404)
            #expect(lab.dropbox.account.storage.contents(at: "/x") == Data([1]))
        }
    }

    @Test("a document of the service's own kind is exported, and not downloaded")
    func exports() async throws {
        try await withCloudLab { lab in
            try lab.dropbox.account.storage.makeDocument(
                at: "/Notes.paper",
                exports: ["html": Data("<p>hi</p>".utf8), "markdown": Data("hi".utf8)]
            )
            let client = DropboxClient(lab)
            let fields = try await client.call("files/get_metadata", ["path": "/notes.paper"]).json
            #expect(fields["is_downloadable"] == false)
            #expect(fields["export_info"] == ["export_as": "html", "export_options": ["html", "markdown"]])
            let refused = try await client.download(["path": "/notes.paper"])
            #expect(refused.summary == "unsupported_file/..")
            let export = try await client.download(
                "files/export",
                ["path": "/notes.paper", "export_format": "markdown"]
            )
            #expect(export.text == "hi")
            let result = try JSONParser.parse((export.headers.first(name: "dropbox-api-result") ?? "").utf8)
            #expect(result["export_metadata"]?["name"] == "Notes.md")
            let odd = try await client.download("files/export", ["path": "/notes.paper", "export_format": "pdf"])
            #expect(odd.summary == "invalid_export_format/..")
        }
    }
}
