import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("Whole trees on Nextcloud")
struct NextcloudTreeTests {
    /// 40 folders with 5 files each, one in the other by fours, and an empty one.
    private func plant(_ alice: NextcloudFileProvider) async throws -> Set<String> {
        var paths: Set<String> = ["/empty"]
        try await alice.create(folder: "empty", at: "/")
        var files: [BulkFile] = []
        for top in 0..<10 {
            var folder = ItemPath.root
            for depth in 0..<4 {
                try await alice.create(folder: "d\(top)-\(depth)", at: folder)
                folder = folder.appending("d\(top)-\(depth)")
                paths.insert(folder.string)
                for index in 0..<5 { files.append(BulkFile(path: folder.appending("\(index) é"), contents: Data([7]))) }
            }
        }
        for result in try await alice.writeFiles(files, overwrite: true) { _ = try result.get() }
        return paths.union(files.map(\.path.string))
    }

    private func walk(_ alice: NextcloudFileProvider, _ path: ItemPath = "/") async throws -> [String] {
        var found: [String] = []
        var entered: Set<ItemPath> = [path]
        for try await element in TreeWalk(alice, path: path) {
            switch element {
            case .page(let items, let folder):
                // A folder's own items come before what is below them.
                #expect(entered.contains(folder))
                for item in items {
                    found.append(item.path.string)
                    if item.isDirectory { entered.insert(item.path) }
                }
            case .failure(let error, _): throw error
            }
        }
        return found
    }

    @Test("a walk asks once, where the server allows that")
    func walking() async throws {
        try await withAlice { alice, server in
            let paths = try await plant(alice)
            server.forget()
            let found = try await walk(alice)
            #expect(found.count == paths.count && Set(found) == paths)
            #expect(server.count("PROPFIND") == 1)
            #expect(server.requests.first?.headerFields[.depth] == "infinity")
            let below = try await walk(alice, "/d3-0/d3-1")
            #expect(Set(below) == paths.filter { $0.hasPrefix("/d3-0/d3-1/") })
        }
    }

    @Test("where it refuses, folders are listed one by one, and it is not asked again")
    func refused() async throws {
        try await withAlice {
            $0.refusesInfinity = true
        } perform: { alice, server in
            let paths = try await plant(alice)
            server.forget()
            #expect(Set(try await walk(alice)) == paths)
            let found = try await alice.searchFiles(path: "/", recursive: true, query: .all, foundItemHandler: nil)
            #expect(Set(found.map(\.path.string)) == paths && found.count == paths.count)
            let depths = server.requests.filter { $0.method == .propfind }.map { $0.headerFields[.depth] }
            #expect(depths.count { $0 == "infinity" } == 1 && depths.count { $0 == "1" } == 2 * 42)
        }
    }

    @Test("a search is the server's where it can do it, and what it finds is looked at again")
    func searchedThere() async throws {
        try await withAlice { alice, server in
            try await alice.create(folder: "d", at: "/")
            try await alice.create(folder: "e", at: "/d")
            for (path, size) in [("/Note.txt", 5), ("/d/note.txt", 5), ("/d/e/note.md", 5), ("/d/e/my note.txt", 2)] {
                try await alice.writeContents(path: ItemPath(stringLiteral: path), contents: Data(count: size))
            }
            server.forget()
            let query = try FileQuery(format: "name CONTAINS 'note' AND fileSize >= 5")
            #expect(alice.searchPlan(for: query).server != .all)
            let all = try await alice.searchFiles(path: "/", recursive: true, query: query, foundItemHandler: nil)
            #expect(Set(all.map(\.path)) == ["/d/note.txt", "/d/e/note.md"], "the server takes Note.txt for one, too")
            #expect(all.allSatisfy { $0.size == 5 && $0.id != nil })
            #expect(server.requests.map(\.method.rawValue) == ["SEARCH"])
            server.forget()
            let below = try await alice.searchFiles(path: "/d/e", recursive: true, query: query, foundItemHandler: nil)
            #expect(below.map(\.path) == ["/d/e/note.md"])
            #expect(server.requests.map(\.method.rawValue) == ["SEARCH"])
        }
    }

    @Test("a search that the server can't do by itself looks at one listing of all")
    func searching() async throws {
        try await withAlice { alice, server in
            let paths = try await plant(alice)
            server.forget()
            let all = try await alice.searchFiles(path: "/", recursive: true, query: .all, foundItemHandler: nil)
            #expect(Set(all.map(\.path.string)) == paths && all.count == paths.count)
            #expect(server.count("PROPFIND") == 1 && server.requests.count == 1)
            let missing = await #expect(throws: CocoaError.self) {
                _ = try await alice.searchFiles(path: "/nope", recursive: true, query: .all, foundItemHandler: nil)
            }
            #expect(missing?.code == .fileNoSuchFile)
        }
    }

    @Test("a list that breaks off is an error, never a smaller tree")
    func cut() async throws {
        try await withAliceOnALine { line in
            let paths = try await plant(line.alice)
            // The list of all is cut, the folders can be had one by one.
            line.proxy.fault = .cutAnswer(after: 4_000, times: 4)
            #expect(Set(try await walk(line.alice)) == paths)
            line.proxy.fault = .cutAnswer(after: 4_000)
            await #expect(throws: (any Error).self) { try await walk(line.alice) }
        }
    }

    @Test("listings come packed, at a fraction of their size")
    func packed() async throws {
        try await withAliceOnALine { line in
            _ = try await plant(line.alice)
            let before = line.proxy.answerByteCount
            let found = try await walk(line.alice)
            let packed = line.proxy.answerByteCount - before
            line.server.configure { $0.compresses = false }
            #expect(try await walk(line.alice) == found)
            let plain = line.proxy.answerByteCount - before - packed
            #expect(packed * 5 < plain, "\(packed) of \(plain)")
            #expect(line.server.requests.last?.headerFields[.acceptEncoding]?.contains("gzip") == true)
        }
    }
}
