import FerryCore
import FerryLocal
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("What is copied again, and what isn't")
struct SamenessTests {
    private let source = MemoryFileProvider()

    private func transfer(
        to target: any TransferPlace.Storage,
        _ change: (inout TransferOptions) -> Void = { _ in }
    ) throws -> Transfer {
        var options = TransferOptions()
        change(&options)
        return try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b"), options: options)
    }

    @Test("where no dates are kept, a second pass changes nothing, and what has changed since is seen")
    func withoutDates() async throws {
        let target = FaultInjectingFileProvider(StorageWithout(.dates, MemoryFileProvider()))
        try await Tree.plant(["/a/1": "one", "/a/2": "two"], in: source)
        let first = try await transfer(to: target).run()
        #expect(first.losses == [.dates: 2])
        let writes = target.count(of: .writeStream)
        #expect(try await transfer(to: target).run().counts == [.skip: 2])
        #expect(target.count(of: .writeStream) == writes)
        // The same size, and a date after that of the copy.
        try await Tree.write("owt", to: "/a/2", in: source, date: Date().timeIntervalSince1970 + 60)
        #expect(try await transfer(to: target).run().counts == [.skip: 1, .update: 1])
        #expect(try await target.contents(path: "/b/2") == Data("owt".utf8))
    }

    @Test("only the date is set where the content is the same, by a checksum that both tell or that we compute")
    func dates() async throws {
        let memory = MemoryFileProvider()
        let target = FaultInjectingFileProvider(WithChecksums(base: memory))
        try await Tree.plant(["/a/1": "one", "/a/2": "two"], in: source, date: 5_000)
        try await Tree.plant(["/b/1": "one", "/b/2": "owt"], in: memory, date: 4_000)
        let report = try await transfer(to: target).run()
        #expect(report.counts == [.setDates: 1, .update: 1])
        #expect(report.bytes == 3)
        #expect(target.count(of: .writeStream) == 1 && target.count(of: .setAttributes) == 1)
        let dates = try await memory.contentsOfDirectory(path: "/b").map(\.modifiedDate?.timeIntervalSince1970)
        #expect(dates == [5_000, 5_000])
        #expect(try await transfer(to: target).run().counts == [.skip: 2])
    }

    @Test("by checksum files are the same whatever their dates, which then are set; else they are copied")
    func checksums() async throws {
        let memory = MemoryFileProvider()
        let target = WithChecksums(base: memory)
        try await Tree.plant(["/a/1": "one", "/a/2": "two"], in: source, date: 5_000)
        try await Tree.plant(["/b/1": "one", "/b/2": "owt"], in: memory, date: 5_000)
        let report = try await transfer(to: target) { $0.comparison = .checksum }.run()
        #expect(report.counts == [.skip: 1, .update: 1])
        #expect(try await memory.contents(path: "/b/2") == Data("two".utf8))
        // Size and date are the same, and the content is not.
        try await Tree.plant(["/b/2": "owt"], in: memory, date: 5_000)
        #expect(try await transfer(to: target).run().counts == [.skip: 2])
        #expect(try await transfer(to: target) { $0.comparison = .nothing }.run().counts == [.update: 2])
        #expect(try await memory.contents(path: "/b/2") == Data("two".utf8))
    }

    @Test("folders get their dates when all in them is done, and keep them in a second pass")
    func folderDates() async throws {
        let target = FaultInjectingFileProvider(MemoryFileProvider())
        try await Tree.plant(["/a/d/e/1": "one"], in: source)
        for (path, seconds) in [("/a/d", 7_000.0), ("/a/d/e", 8_000)] {
            let date = Date(timeIntervalSince1970: seconds)
            try await source.setAttributes(ItemAttributes(modifiedDate: date), path: ItemPath(parsing: path))
        }
        #expect(try await transfer(to: target).run().counts == [.add: 1, .makeFolder: 3, .setDates: 2])
        for (path, seconds) in [("/b/d", 7_000.0), ("/b/d/e", 8_000)] {
            let item = try await target.attributesOfItem(path: ItemPath(parsing: path))
            #expect(item.modifiedDate?.timeIntervalSince1970 == seconds)
        }
        #expect(try await transfer(to: target).run().counts == [.skip: 1])
    }

    @Test("what was kept besides contents is not counted as lost, what wasn't is, once for each kind")
    func losses() async throws {
        try await withTemporaryFolder { folder in
            let local = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/run": "#!"], in: local)
            try await local.setAttributes(ItemAttributes(permissions: 0o755), path: "/a/run")
            try await local.create(symbolicLink: "/a/link", withDestination: "run")
            let note = ItemAttributes(extendedAttributes: ["user.note": Data("x".utf8)])
            try await local.setAttributes(note, path: "/a/run")
            // Not every file system has them.
            let hasNotes = try await local.extendedAttributes(path: "/a/run")["user.note"] != nil

            let memory = MemoryFileProvider()
            let away = try await Transfer(from: TransferPlace(local, "/a"), to: TransferPlace(memory, "/b")).run()
            #expect(away.losses == (hasNotes ? [.permissions: 1, .extendedAttributes: 1] : [.permissions: 1]))
            #expect(try await memory.destination(ofSymbolicLink: "/b/link") == "run")

            // The same, where small files are taken many at a time, those that follow one another.
            try await local.removeItem(path: "/a/link")
            try await Tree.plant(["/a/other": "o"], in: local)
            let bulk = InBulk(MemoryFileProvider())
            let many = try await Transfer(from: TransferPlace(local, "/a"), to: TransferPlace(bulk, "/b")).run()
            #expect(many.counts[.add] == 2 && many.losses == away.losses, "\(many.lines)")
            #expect(bulk.bulks == [2])
            try await local.removeItem(path: "/a/other")
            try await local.create(symbolicLink: "/a/link", withDestination: "run")

            // Through streams, as between any two storages that have both; then straight from one to the other.
            for (name, source) in [("c", FaultInjectingFileProvider(local) as any TransferPlace.Storage), ("d", local)]
            {
                try await local.create(folder: name, at: "/")
                let other = LocalFileProvider(baseURL: folder.appending(path: name))
                let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(other, "/"))
                let kept = try await transfer.run()
                #expect(kept.isComplete && kept.losses == [:], "\(kept.lines)")
                #expect(try await other.attributesOfItem(path: "/run").permissions == 0o755)
                #expect(
                    try await other.extendedAttributes(path: "/run")["user.note"] == (hasNotes ? Data("x".utf8) : nil)
                )
                #expect(try await other.destination(ofSymbolicLink: "/link") == "run")
                #expect(try await transfer.run().counts == [.skip: 2])
            }
        }
    }
}
