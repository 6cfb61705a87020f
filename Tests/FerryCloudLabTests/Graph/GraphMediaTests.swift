import Foundation
import NIOHTTP1
import Testing

@testable import FerryCloudLab

@Suite("Graph: media and versions")
struct GraphMediaTests {
    @Test("a picture, a video and a song have the facets that the test has given them")
    func facets() async throws {
        try await withCloudLab { lab in
            let storage = lab.graph.account.storage
            for name in ["a.jpg", "b.mp4", "c.mp3", "d.txt"] { try storage.write(Data([1]), to: "/" + name) }
            try storage.write(Data(BlankPicture.png(width: 30, height: 20)), to: "/e.png")
            var media = CloudMedia()
            (media.width, media.height, media.latitude, media.longitude) = (400, 300, 48.5, -9.25)
            (media.taken, media.cameraMake) = (Date(timeIntervalSince1970: 0), "Maker")
            (media.duration, media.title) = (.milliseconds(1500), "Song")
            for name in ["a.jpg", "b.mp4", "c.mp3", "d.txt"] { try storage.setMedia(media, at: "/" + name) }
            let client = GraphClient(lab)
            let photo = try await client.get("/me/drive/root:/a.jpg").json
            #expect(photo["image"] == ["width": 400, "height": 300])
            #expect(photo["photo"] == ["takenDateTime": "1970-01-01T00:00:00Z", "cameraMake": "Maker"])
            #expect(photo["location"] == ["latitude": .number(48.5), "longitude": .number(-9.25)])
            let video = try await client.get("/me/drive/root:/b.mp4").json["video"]
            #expect(video == ["width": 400, "height": 300, "duration": 1500])
            #expect(try await client.get("/me/drive/root:/c.mp3").json["audio"]?["title"] == "Song")
            #expect(try await client.get("/me/drive/root:/d.txt").json["location"] == nil)
            #expect(try await client.get("/me/drive/root:/e.png").json["image"] == ["width": 30, "height": 20])
        }
    }

    @Test("thumbnails have the named size or the asked one, one by one and with a listing")
    func thumbnails() async throws {
        try await withCloudLab { lab in
            let storage = lab.graph.account.storage
            try storage.write(Data(BlankPicture.png(width: 300, height: 200)), to: "/a.png")
            try storage.write(Data([1]), to: "/b.txt")
            let client = GraphClient(lab)
            let set = try await client.get("/me/drive/root:/a.png:/thumbnails").json["value"]?.array?.first
            #expect(set?.object?.names == ["id", "small", "medium", "large"])
            #expect(set?["medium"]?["width"] == 176 && set?["medium"]?["height"] == 117)
            let custom = "c80x80,c40x60_crop,smallSquare"
            let sizes = try await client.get("/me/drive/root:/a.png:/thumbnails?$select=\(custom)").json["value"]?.array
            #expect(sizes?.first?["c80x80"]?["height"] == 53 && sizes?.first?["c40x60_crop"]?["height"] == 60)
            #expect(sizes?.first?["smallSquare"]?["width"] == 96)
            #expect(try await client.get("/me/drive/root:/b.txt:/thumbnails").json["value"] == [])
            let redirect = try await client.get("/me/drive/root:/a.png:/thumbnails/0/small/content")
            #expect(redirect.status == 302)
            let picture = try await GraphClient.open(redirect.location)
            #expect(picture.headers.first(name: "content-type") == "image/jpeg")
            #expect(picture.body == BlankPicture.jpeg(width: 96, height: 64))
            let list = try await client.items("/me/drive/root/children?$select=name&$expand=thumbnails($select=small)")
            #expect(list.items.map { $0["thumbnails"]?.array?.count } == [1, 0])
            #expect(list.items.first?["thumbnails"]?.array?.first?.object?.names == ["id", "small"])
            #expect(try await client.get("/me/drive/root:/a.png:/thumbnails/0/huge").status == 404)
        }
    }

    @Test("versions are listed from the newest on, read, restored and removed")
    func versions() async throws {
        try await withCloudLab { lab in
            let client = GraphClient(lab)
            for text in ["1", "22", "333"] { try await client.upload(text, to: "/a.txt") }
            let path = "/me/drive/root:/a.txt:/versions"
            let list = try await client.get(path).json["value"]?.array ?? []
            #expect(list.map { $0["size"] } == [3, 2, 1])
            let old = list.last?["id"]?.string ?? ""
            let redirect = try await client.get("\(path)/\(old)/content")
            #expect(try await GraphClient.open(redirect.location).text == "1")
            #expect(try await client.send(.POST, "\(path)/\(old)/restoreVersion").status == 204)
            #expect(lab.graph.account.storage.contents(at: "/a.txt") == Data("1".utf8))
            #expect(try await client.send(.DELETE, "\(path)/\(old)").status == 204)
            let rest = try await client.get(path).json["value"]?.array ?? []
            #expect(rest.map { $0["size"] } == [1, 3, 2])
            let current = rest.first?["id"]?.string ?? ""
            #expect(try await client.send(.DELETE, "\(path)/\(current)").status == 400)
            #expect(try await client.get("\(path)/\(old)").status == 404)
        }
    }
}
