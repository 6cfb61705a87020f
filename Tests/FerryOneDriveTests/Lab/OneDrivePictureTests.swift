import FerryCloudLab
import FerryCore
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Pictures, properties and space")
struct OneDrivePictureTests {
    @Test(
        "the addresses of a gallery's pictures come 20 with each request, and the pictures get no login",
        arguments: [GraphDriveType.personal, .business]
    )
    func gallery(type: GraphDriveType) async throws {
        try await withDrive {
            $0.graph.driveType = type
            $0.graph.pageSize = 200
        } perform: { provider, lab in
            for number in 0..<40 {
                try lab.graph.account.storage.write(Data("\(number)".utf8), to: "/Album/\(number).jpg")
            }
            let items = try await provider.contentsOfDirectory(path: "/Album")
            lab.journal.removeAll()
            let options = ThumbnailOptions(width: 90, height: 80)
            for item in items {
                let picture = try await provider.thumbnail(of: item, options: options)
                #expect(picture.contentType == "image/jpeg" && picture.width == 90 && picture.height ?? .max <= 80)
            }
            let requests = Dictionary(grouping: lab.journal.exchanges, by: \.route).mapValues(\.count)
            #expect(requests == ["$batch": 2, "thumbnailDownload": 40])
            #expect(lab.journal.exchanges(route: "thumbnailDownload").allSatisfy { !$0.isAuthorized })
            // The same again is known, for a while.
            for item in items { _ = try await provider.thumbnail(of: item, options: options) }
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
        }
    }

    @Test("pictures that are wanted at the same time wait for one request")
    func together() async throws {
        try await withDrive { provider, lab in
            lab.graph.settings.pageSize = 200
            for number in 0..<20 { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(number).jpg") }
            let items = try await provider.contentsOfDirectory(path: .root)
            lab.journal.removeAll()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for item in items { group.addTask { _ = try await provider.thumbnail(of: item, options: nil) } }
                try await group.waitForAll()
            }
            let requests = Dictionary(grouping: lab.journal.exchanges, by: \.route).mapValues(\.count)
            #expect(requests == ["$batch": 1, "thumbnailDownload": 20])
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

    @Test("one that is refused with others is asked for by itself")
    func refused() async throws {
        try await withDrive { provider, lab in
            lab.graph.settings.pageSize = 200
            for name in ["a", "b", "c"] { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(name).jpg") }
            let items = try await provider.contentsOfDirectory(path: .root)
            lab.journal.removeAll()
            lab.faults.add(.tooManyRequests(retryAfter: .zero), route: "thumbnails")
            for item in items { _ = try await provider.thumbnail(of: item, options: nil) }
            #expect(lab.journal.exchanges(route: "$batch").count == 1)
            #expect(lab.journal.exchanges(route: "thumbnails").count == 1)
        }
    }

    @Test("where all are refused each is asked for by itself, and a batch that failed is asked for again")
    func refusedBatch() async throws {
        try await withDrive { provider, lab in
            lab.graph.settings.pageSize = 200
            for name in ["a", "b", "c"] { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(name).jpg") }
            let items = try await provider.contentsOfDirectory(path: .root)
            lab.journal.removeAll()
            lab.faults.add(.answer(status: 200, contentType: "application/json", body: "[[["), route: "$batch")
            await #expect(throws: URLError.self) { try await provider.thumbnail(of: items[0], options: nil) }
            let refusal = Fault.answer(status: 403, contentType: "application/json", body: "{}")
            lab.faults.add(refusal, route: "$batch")
            for item in items { _ = try await provider.thumbnail(of: item, options: nil) }
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
            #expect(lab.journal.exchanges(route: "thumbnails").count == 3)
            lab.faults.add(refusal, route: "$batch")
            let pictures = try await provider.thumbnailsOfFiles(paths: items.map(\.path))
            #expect(pictures.allSatisfy { (try? $0.get()) != nil })
            #expect(lab.journal.exchanges(route: "$batch").count == 3)
            lab.graph.revokeTokens(of: lab.graph.account)
            await #expect(throws: URLError.self) { try await provider.thumbnailsOfFiles(paths: items.map(\.path)) }
        }
    }

    @Test("pictures of several files come in the order of their paths, 20 addresses with each request")
    func paths() async throws {
        try await withDrive {
            $0.graph.driveType = .business
        } perform: { provider, lab in
            for number in 0..<39 { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(number).jpg") }
            var paths = (0..<39).map { ItemPath.root.appending("\($0).jpg") }
            paths.insert("/gone.jpg", at: 7)
            lab.journal.removeAll()
            let pictures = try await provider.thumbnailsOfFiles(paths: paths)
            #expect(pictures.map { (try? $0.get()) != nil } == paths.map { $0 != "/gone.jpg" })
            #expect(throws: CocoaError.self) { try pictures[7].get() }
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
            #expect(lab.journal.exchanges(route: "thumbnails").count == 1)
            #expect(lab.journal.exchanges(route: "thumbnailDownload").count == 39)
        }
    }

    @Test("pictures of listed files come 20 addresses with each request, also from a provider that has listed nothing")
    func listed() async throws {
        try await withDrive {
            $0.graph.driveType = .business
        } perform: { provider, lab in
            for number in 0..<39 { try lab.graph.account.storage.write(Data("1".utf8), to: "/\(number).jpg") }
            var items: [FileObject] = []
            for number in 0..<39 { items.append(try await provider.attributesOfItem(path: "/\(number).jpg")) }
            // Nothing is known of where it is but its path.
            items[3] = FileObject(name: "3.jpg", in: .root, type: .file)
            items.insert(FileObject(name: "gone.jpg", in: .root, type: .file), at: 7)
            lab.journal.removeAll()
            let pictures = try await provider.thumbnailsOfFiles(listed: items, options: nil)
            #expect(pictures.map { (try? $0.get()) != nil } == items.map { $0.name != "gone.jpg" })
            let error = #expect(throws: CocoaError.self) { try pictures[7].get() }
            #expect(error?.code == .fileNoSuchFile)
            #expect(lab.journal.exchanges(route: "$batch").count == 2)
            #expect(lab.journal.exchanges(route: "thumbnails").count == 2)
            #expect(lab.journal.exchanges(route: "thumbnailDownload").count == 39)
            // Of another page there is none, and nobody is asked.
            lab.journal.removeAll()
            let pages = try await provider.thumbnailsOfFiles(listed: items, options: ThumbnailOptions(page: 2))
            #expect(pages.count == 40 && pages.allSatisfy { (try? $0.get()) == nil })
            #expect(lab.journal.exchanges.isEmpty)
            lab.graph.revokeTokens(of: lab.graph.account)
            await #expect(throws: URLError.self) {
                try await provider.thumbnailsOfFiles(listed: items, options: nil)
            }
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
        "a picture is asked for in the size that is wanted, never in a larger one",
        arguments: [
            (ThumbnailOptions(), "medium"), (ThumbnailOptions(width: 96, height: 50), "c96x50"),
            (ThumbnailOptions(width: 200, height: 200), "c200x200"), (ThumbnailOptions(width: 100), "c100x4096"),
            (ThumbnailOptions(height: 9_999), "c4096x4096"), (ThumbnailOptions(mode: .fill), "c176x176_crop"),
            (ThumbnailOptions(width: 300, height: 400, mode: .fill), "c300x400_crop"),
            (ThumbnailOptions(width: 300, mode: .fill), "c300x300_crop"),
            (ThumbnailOptions(height: 300, mode: .fill), "c300x300_crop"),
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
