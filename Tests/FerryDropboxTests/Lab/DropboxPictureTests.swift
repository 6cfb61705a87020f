import FerryCloudLab
import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Testing

@testable import FerryDropbox

@Suite("Pictures of many files at Dropbox, on the lab")
struct DropboxPictureTests {
    /// Puts photos into the account.
    private func photos(_ count: Int, in lab: CloudLab) throws -> [ItemPath] {
        let paths = (0..<count).map { "/\($0).jpg" as ItemPath }
        for path in paths { try lab.dropbox.account.storage.write(Data.pattern(100), to: path.string) }
        return paths
    }

    @Test("pictures of a gallery come together")
    func gallery() async throws {
        try await withAccount { provider, lab in
            let paths = try photos(30, in: lab)
            let pictures = try await provider.thumbnailsOfFiles(paths: paths + ["/gone.jpg"])
            #expect(pictures.count == 31)
            for picture in pictures.prefix(30) { #expect(try !picture.get().data.isEmpty) }
            #expect(throws: CocoaError.self) { try pictures[30].get() }
            #expect(lab.journal.exchanges(route: "files/get_thumbnail_batch").count == 2)
            let items = try await provider.contentsOfDirectory(path: .root)
            #expect(try await provider.thumbnailsOfFiles(listed: items, options: nil).count == 30)
            #expect(lab.journal.exchanges(route: "files/get_thumbnail_batch").count == 4)
            #expect(try await !provider.thumbnailOfFile(path: "/1.jpg", options: nil).data.isEmpty)
        }
    }

    @Test("pictures of a gallery come one by one where Dropbox refuses to make them together")
    func refusedGallery() async throws {
        try await withAccount { provider, lab in
            for name in ["a", "b"] { try lab.dropbox.account.storage.write(Data.pattern(100), to: "/\(name).jpg") }
            let paths: [ItemPath] = ["/b.jpg", "/gone.jpg", "/a.jpg"]
            let refusal = Fault.answer(status: 400, contentType: "text/plain", body: "Error in call")
            lab.faults.add(refusal, route: "files/get_thumbnail_batch")
            let pictures = try await provider.thumbnailsOfFiles(paths: paths)
            #expect(pictures.map { (try? $0.get()) != nil } == [true, false, true])
            #expect(lab.journal.exchanges(route: "files/get_thumbnail_v2").count == 3)
            // Of another page there is none, and nobody is asked.
            lab.journal.removeAll()
            let pages = try await provider.thumbnailsOfFiles(paths: paths, options: ThumbnailOptions(page: 2))
            #expect(pages.count == 3 && pages.allSatisfy { (try? $0.get()) == nil })
            #expect(lab.journal.exchanges.isEmpty)
        }
    }

    @Test("pictures of one request that fails keep no others from being made, and come one by one if they are too long")
    func failedGallery() async throws {
        try await withAccount { provider, lab in
            let paths = try photos(52, in: lab)
            let route = "files/get_thumbnail_batch"
            let broken = Fault.answer(status: 200, contentType: "application/json", body: "[[[")
            lab.faults.add(broken, route: route, skipping: 1)
            let pictures = try await provider.thumbnailsOfFiles(paths: paths)
            #expect(pictures.map { (try? $0.get()) != nil } == (0..<52).map { !(25..<50).contains($0) })
            #expect(throws: URLError.self) { try pictures[30].get() }
            #expect(lab.journal.exchanges(route: route).count == 3)
            let body = String(repeating: " ", count: (64 << 20) + 1)
            lab.faults.add(.answer(status: 200, contentType: "application/json", body: body), route: route)
            let few = try await provider.thumbnailsOfFiles(paths: Array(paths.prefix(2)))
            #expect(few.map { (try? $0.get()) != nil } == [true, true])
            #expect(lab.journal.exchanges(route: "files/get_thumbnail_v2").count == 2)
        }
    }

    @Test("pictures of a gallery end where the login is refused")
    func refusedLogin() async throws {
        try await withAccount { provider, lab in
            let paths = try photos(60, in: lab)
            let route = "files/get_thumbnail_batch"
            lab.faults.add(.expireToken, route: route, skipping: 1)
            let pictures = try await provider.thumbnailsOfFiles(paths: paths)
            #expect(pictures.map { (try? $0.get()) != nil } == (0..<60).map { $0 < 25 })
            for picture in pictures.suffix(35) {
                let error = #expect(throws: URLError.self) { try picture.get() }
                #expect(error?.code == .userAuthenticationRequired)
            }
            #expect(lab.journal.exchanges(route: route).count == 2)
            let none = await #expect(throws: URLError.self) { try await provider.thumbnailsOfFiles(paths: paths) }
            #expect(none?.code == .userAuthenticationRequired)
        }
    }
}
