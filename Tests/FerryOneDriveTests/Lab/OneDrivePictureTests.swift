import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Pictures, properties and space")
struct OneDrivePictureTests {
    @Test("pictures of a gallery come with pages of the folder, and get no login")
    func gallery() async throws {
        try await withDrive { provider, lab in
            lab.graph.settings.pageSize = 200
            for number in 0..<30 {
                try lab.graph.account.storage.write(Data("\(number)".utf8), to: "/Album/\(number).jpg")
            }
            let items = try await provider.contentsOfDirectory(path: "/Album")
            lab.journal.removeAll()
            for item in items {
                let picture = try await provider.thumbnail(of: item, options: ThumbnailOptions(width: 90, height: 90))
                #expect(picture.contentType == "image/jpeg" && max(picture.width ?? 0, picture.height ?? 0) == 96)
            }
            // The first one by itself, the others with the folder.
            #expect(lab.journal.exchanges(route: "thumbnails").count == 1)
            #expect(lab.journal.exchanges(route: "children").count == 1)
            let pictures = lab.journal.exchanges(route: "thumbnailDownload")
            #expect(pictures.count == 30 && pictures.allSatisfy { !$0.isAuthorized })
        }
    }

    @Test("a file that has changed since its folder was listed has its own picture")
    func changed() async throws {
        try await withDrive { provider, lab in
            lab.graph.settings.pageSize = 200
            for name in ["a", "b", "c"] { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(name).jpg") }
            for item in try await provider.contentsOfDirectory(path: .root) {
                _ = try await provider.thumbnail(of: item, options: nil)
            }
            try lab.graph.account.storage.write(Data("22".utf8), to: "/c.jpg")
            lab.journal.removeAll()
            _ = try await provider.thumbnail(of: try await provider.attributesOfItem(path: "/c.jpg"), options: nil)
            #expect(lab.journal.exchanges(route: "thumbnails").count == 1)
        }
    }

    @Test("drives of organizations are asked for each picture")
    func organization() async throws {
        try await withDrive {
            $0.graph.driveType = .business
        } perform: { provider, lab in
            for name in ["a", "b", "c"] { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(name).jpg") }
            let pictures = try await provider.thumbnailsOfFiles(paths: ["/a.jpg", "/b.jpg", "/gone.jpg", "/c.jpg"])
            #expect(pictures.map { (try? $0.get()) != nil } == [true, true, false, true])
            #expect(lab.journal.exchanges(route: "thumbnails").count == 3)
        }
    }

    @Test("a file without a picture is told apart from a missing one")
    func none() async throws {
        try await withDrive { provider, lab in
            try lab.graph.account.storage.write(Data("a".utf8), to: "/a.txt")
            let none = await #expect(throws: CocoaError.self) {
                try await provider.thumbnailOfFile(path: "/a.txt", options: nil)
            }
            #expect(none?.code == .featureUnsupported)
            let missing = await #expect(throws: CocoaError.self) {
                try await provider.thumbnailOfFile(path: "/gone.jpg", options: nil)
            }
            #expect(missing?.code == .fileNoSuchFile)
        }
    }

    @Test(
        "a size is the next larger usual one, or the size itself",
        arguments: [
            (ThumbnailOptions(), "medium"), (ThumbnailOptions(width: 96, height: 50), "small"),
            (ThumbnailOptions(width: 97, height: 50), "medium"), (ThumbnailOptions(width: 640, height: 480), "large"),
            (ThumbnailOptions(width: 1_600, height: 1_200), "c1600x1200"), (ThumbnailOptions(width: 100), "c100x4096"),
            (ThumbnailOptions(height: 9_999), "c4096x4096"),
            (ThumbnailOptions(width: 300, height: 400, mode: .fill), "c300x400_crop"),
            (ThumbnailOptions(width: 300, mode: .fill), "c300x300_crop"),
        ]
    )
    func sizes(options: ThumbnailOptions, name: String) {
        #expect(OneDriveThumbnailSize(options).name == name)
    }

    @Test("the service's facets are properties, in the units of Ferry")
    func facets() throws {
        let json = """
            {"id": "1", "name": "a", "file": {}, "image": {"width": 4032, "height": 3024},
             "photo": {"cameraMake": "Maker", "cameraModel": "", "exposureNumerator": 1.0, "exposureDenominator": 250.0,
             "fNumber": 2.8, "iso": 100, "takenDateTime": "2020-01-02T03:04:05Z"},
             "audio": {"title": "Song", "bitrate": 128, "duration": 2500, "track": 0},
             "location": {"latitude": 47.5, "longitude": 8.5, "altitude": 1000}}
            """
        let item = try JSONDecoder().decode(GraphItem.self, from: Data(json.utf8))
        let properties = FileProperties(OneDriveMediaFacets(item).properties)
        #expect(properties[.dimensions] == .size(.init(width: 4_032, height: 3_024)))
        #expect(properties[.exposureTime] == FilePropertyValue.Fraction(1, over: 250).map { .fraction($0) })
        #expect(properties[.bitRate] == .integer(128_000) && properties[.duration] == .duration(.milliseconds(2_500)))
        #expect(properties[.deviceMaker] == .text("Maker") && properties[.deviceModel] == nil)
        #expect(properties[.track] == nil && properties[.isoSpeed] == .integer(100))
        guard case .location(let place)? = properties[.location] else {
            Issue.record("no location")
            return
        }
        #expect(place.latitude == 47.5 && abs((place.altitude ?? 0) - 304.8) < 0.001)
    }

    @Test("properties are asked of the service; a text has none")
    func properties() async throws {
        try await withDrive { provider, lab in
            let storage = lab.graph.account.storage
            try storage.write(Data("a".utf8), to: "/a.jpg")
            try storage.write(Data("a".utf8), to: "/a.txt")
            var media = CloudMedia()
            (media.width, media.height, media.cameraMake) = (40, 30, "Maker")
            try storage.setMedia(media, at: "/a.jpg")
            let properties = try await provider.propertiesOfFile(path: "/a.jpg")
            #expect(properties[.dimensions] == .size(.init(width: 40, height: 30)))
            #expect(properties[.deviceMaker] == .text("Maker"))
            let none = await #expect(throws: CocoaError.self) { try await provider.propertiesOfFile(path: "/a.txt") }
            #expect(none?.code == .featureUnsupported)
        }
    }

    @Test("the space is that of the drive")
    func space() async throws {
        try await withDrive {
            $0.quota = 1_000
        } perform: { provider, lab in
            try lab.graph.account.storage.write(Data("hello".utf8), to: "/a.txt")
            let volume = try await provider.storageProperties()
            #expect(volume.totalCapacity == 1_000 && volume.usedCapacity == 5 && volume.availableCapacity == 995)
        }
    }
}
