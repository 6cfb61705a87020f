import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import NIOCore
import Testing

@testable import FerryOneDrive

@Suite("Files that are listed in order to be read")
struct OneDriveListedFilesTests {
    /// Returns the number of requests of each operation.
    private static func requests(_ lab: CloudLab) -> [String: Int] {
        Dictionary(grouping: lab.journal.exchanges, by: \.route).mapValues(\.count)
    }

    private static let refusal = Fault.answer(status: 403, contentType: "application/json", body: "{}")

    /// Runs a test with a folder of some files, each of which holds its name.
    private func withFolder(
        count: Int = 3,
        options: [String: String] = [:],
        _ body: (OneDriveFileProvider, CloudLab) async throws -> Void
    ) async throws {
        try await withDrive({ $0.graph.pageSize = 200 }, options: options, clock: InstantClock()) { provider, lab in
            for number in 0..<count {
                try lab.graph.account.storage.write(Data("\(number).txt".utf8), to: "/Box/\(number).txt")
            }
            try await body(provider, lab)
        }
    }

    @Test("cost one request for the list and one for each content, which gets no login")
    func cost() async throws {
        try await withFolder(count: 40) { provider, lab in
            let files = try await provider.contentsToRead(path: "/Box")
            #expect(files.count == 40)
            for file in files {
                let stream = try await provider.contentStream(ofListed: file)
                #expect(stream.facts.size == file.size)
                #expect(try await stream.collect() == Data(file.name.utf8))
            }
            #expect(Self.requests(lab) == ["children": 1, "download": 40])
            #expect(lab.journal.exchanges(route: "download").allSatisfy { !$0.isAuthorized })
            // A URL is used once: the file is asked for when it is read again.
            _ = try await provider.contentStream(ofListed: files[0]).collect()
            #expect(Self.requests(lab) == ["children": 1, "download": 41, "item": 1])
        }
    }

    @Test("are asked for anew where the URL of the content is refused", arguments: [401, 403])
    func refused(status: Int) async throws {
        try await withFolder { provider, lab in
            let files = try await provider.contentsToRead(path: "/Box")
            lab.faults.add(
                .answer(status: status, contentType: "application/json", body: "{}"),
                route: "download",
                skipping: 1
            )
            for file in files {
                #expect(try await provider.contentStream(ofListed: file).collect() == Data(file.name.utf8))
            }
            #expect(Self.requests(lab) == ["children": 1, "download": 4, "item": 1])
            #expect(lab.journal.exchanges(route: "download").allSatisfy { !$0.isAuthorized })
        }
    }

    @Test("that have changed since are read as they were, or as they are, with the facts of those bytes")
    func changed() async throws {
        try await withFolder { provider, lab in
            let files = try await provider.contentsToRead(path: "/Box")
            let new = Data("another content".utf8)
            for file in files { try lab.graph.account.storage.write(new, to: file.path.string) }
            let tags = try await provider.contentsOfDirectory(path: "/Box").map(\.eTag)
            // By the URL of the listing, and by a new one.
            lab.faults.add(Self.refusal, route: "download", skipping: 1)
            for (index, file) in files.prefix(2).enumerated() {
                let stream = try await provider.contentStream(ofListed: file)
                let data = try await stream.collect()
                #expect(data == (index == 0 ? Data(file.name.utf8) : new))
                #expect(stream.facts.size == Int64(data.count))
                #expect(stream.facts.eTag == (index == 0 ? file.eTag : tags[index]))
            }
            // A line that breaks is not taken up in another content.
            lab.faults.add(.truncateBody(afterBytes: 2), route: "download")
            let stream = try await provider.contentStream(ofListed: files[2])
            await #expect(throws: PreconditionFailedError.self) { try await stream.collect() }
        }
    }

    @Test("are asked for one by one with the antivirus overridden, and as another version than was listed")
    func asked() async throws {
        try await withFolder(options: ["av-override": "true"]) { provider, lab in
            let files = try await provider.contentsToRead(path: "/Box")
            for file in files {
                #expect(try await provider.contentStream(ofListed: file).collect() == Data(file.name.utf8))
            }
            #expect(Self.requests(lab) == ["children": 1, "download": 3, "content": 3, "item": 3])
        }
        try await withFolder { provider, lab in
            var file = try #require(try await provider.contentsToRead(path: "/Box").first)
            file.eTag = "another"
            #expect(try await provider.contentStream(ofListed: file).collect() == Data(file.name.utf8))
            #expect(Self.requests(lab)["item"] == 1)
        }
    }
}
