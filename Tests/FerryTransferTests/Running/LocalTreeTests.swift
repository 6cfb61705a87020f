import FerryCore
import FerryLocal
import FerryTestKit
import Foundation
import Testing

@testable import FerryTransfer

@Suite("Folders of this machine go as a whole, straight from one to the other")
struct LocalTreeTests {
    private func plant(in storage: LocalFileProvider) async throws {
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two", "/a/d/e/3": "three", "/a/empty/": ""], in: storage)
        try await storage.create(symbolicLink: "/a/link", withDestination: "1")
        try await storage.setAttributes(ItemAttributes(permissions: 0o700), path: "/a/1")
        try await storage.setAttributes(
            ItemAttributes(modifiedDate: Date(timeIntervalSince1970: 7_000)),
            path: "/a/d"
        )
    }

    private let lines = [
        "/1 one", "/d/", "/d/2 two", "/d/e/", "/d/e/3 three", "/empty/", "/link -> ",
    ]

    @Test("of one storage and of two, with all that they have", arguments: [true, false])
    func whole(isOneStorage: Bool) async throws {
        try await withTemporaryFolder { folder in
            let source = LocalFileProvider(baseURL: folder)
            try await plant(in: source)
            try await source.create(folder: "x", at: "/")
            let target = isOneStorage ? source : LocalFileProvider(baseURL: folder.appending(path: "x"))
            let place = TransferPlace(target, isOneStorage ? "/x/b" : "/b")
            let progress = Progress(totalUnitCount: 0)
            let transfer = try Transfer(from: TransferPlace(source, "/a"), to: place)
            let report = try await transfer.run(reporting: progress)
            #expect(report.isComplete && report.losses == [:])
            #expect(report.counts == [.add: 4, .makeFolder: 4])
            #expect(report.bytes == 11 && progress.completedUnitCount == 11 && progress.isFinished)
            let status = try #require(progress.transferStatus)
            #expect(status.filesDone == 4 && status.filesFound == 4)
            #expect(try await Tree.lines(of: target, below: place.top) == lines)
            #expect(try await target.attributesOfItem(path: place.path("/1")).permissions == 0o700)
            let date = try await target.attributesOfItem(path: place.path("/d")).modifiedDate
            #expect(date?.timeIntervalSince1970 == 7_000)
            #expect(try await transfer.run().counts == [.skip: 4])
        }
    }

    @Test(
        "of a file whose permissions alone have changed, only these are set",
        arguments: [ComparisonRule.standard, .checksum]
    )
    func permissions(rule: ComparisonRule) async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/run": "content", "/a/read": "text"], in: disk)
            var options = TransferOptions()
            options.mode = .sync
            options.comparison = rule
            let (from, to) = (TransferPlace(disk, "/a"), TransferPlace(disk, "/b"))
            let transfer = try Transfer(from: from, to: to, options: options)
            #expect(try await transfer.run().isComplete)
            try await disk.setAttributes(ItemAttributes(permissions: 0o750), path: "/a/run")
            try await disk.setAttributes(ItemAttributes(permissions: 0o604), path: "/a/read")
            if rule == .standard {
                let lines = ["set permissions /read (other permissions)", "set permissions /run (other permissions)"]
                #expect(try await transfer.plan().lines.filter { $0.hasPrefix("set p") }.sorted() == lines)
            }
            let report = try await transfer.run()
            #expect(report.isComplete && report.bytes == 0, "\(report.lines)")
            #expect(try await disk.attributesOfItem(path: "/b/run").permissions == 0o750)
            #expect(try await disk.attributesOfItem(path: "/b/read").permissions == 0o604)
            #expect(try await transfer.run().counts == [.skip: 2])
            #expect(try await transfer.check().isSame)
        }
    }

    /// Makes `/b` like `/a`, by renaming where that can be done.
    private func renaming(on disk: LocalFileProvider, _ rule: ComparisonRule = .standard) throws -> Transfer {
        var options = TransferOptions()
        options.mode = .sync
        options.tracksRenames = true
        options.comparison = rule
        options.largestRemoval = 1
        return try Transfer(from: TransferPlace(disk, "/a"), to: TransferPlace(disk, "/b"), options: options)
    }

    @Test("where checksums are demanded, a file of the same name, size and date is none that was renamed")
    func renamesByChecksum() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/x/name": "content", "/a/y/same": "text"], in: disk)
            try await Tree.plant(["/b/z/name": "another", "/b/w/same": "text"], in: disk)
            for name in ["/a/x/name", "/b/z/name", "/a/y/same", "/b/w/same"] {
                let date = Date(timeIntervalSince1970: 1.25)
                try await disk.setAttributes(ItemAttributes(modifiedDate: date), path: try ItemPath(parsing: name))
            }
            let transfer = try renaming(on: disk, .checksum)
            let plan = try await transfer.plan()
            #expect(plan.actions.filter { $0.kind == .rename }.map(\.path) == ["/y/same"])
            #expect(try await transfer.run(plan).isComplete)
            #expect(try await Tree.lines(of: disk, below: "/a") == Tree.lines(of: disk, below: "/b"))
        }
    }

    @Test(
        "what has another name, but the size and date of a file that is gone, is moved only if its contents are the same"
    )
    func renames() async throws {
        try await withTemporaryFolder { folder in
            let disk = LocalFileProvider(baseURL: folder)
            try await Tree.plant(["/a/new": "content", "/a/other": "one"], in: disk)
            try await Tree.plant(["/b/old": "content", "/b/another": "two"], in: disk)
            for (name, date) in [("/a/new", 1.25), ("/b/old", 1.25), ("/a/other", 2.5), ("/b/another", 2.5)] {
                let date = Date(timeIntervalSince1970: date)
                try await disk.setAttributes(ItemAttributes(modifiedDate: date), path: try ItemPath(parsing: name))
            }
            let transfer = try renaming(on: disk)
            let plan = try await transfer.plan()
            #expect(
                plan.lines == [
                    "rename /old -> /new (missing at target)", "add /other (missing at target)",
                    "remove /another (missing at source)",
                ]
            )
            #expect(try await transfer.run(plan).isComplete)
            #expect(try await Tree.lines(of: disk, below: "/b") == ["/new content", "/other one"])
        }
    }

    @Test("only the folders that are missing, where others are there")
    func partly() async throws {
        try await withTemporaryFolder { folder in
            let source = LocalFileProvider(baseURL: folder)
            try await plant(in: source)
            try await Tree.plant(["/b/1": "old one", "/b/d/mine": "m"], in: source, date: 500)
            let report = try await Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(source, "/b")).run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(try await Tree.lines(of: source, below: "/b") == (lines + ["/d/mine m"]).sorted())
            #expect(try await source.attributesOfItem(path: "/b/1").permissions == 0o700)
        }
    }

    @Test("a filter, or an order, needs a look inside")
    func filtered() async throws {
        try await withTemporaryFolder { folder in
            let source = LocalFileProvider(baseURL: folder)
            try await plant(in: source)
            var options = TransferOptions()
            options.filter.patterns = TransferFilter.patterns(in: "3\nlink")
            options.order = TransferOrder(.name)
            let transfer = try Transfer(
                from: TransferPlace(source, "/a"),
                to: TransferPlace(source, "/b"),
                options: options
            )
            #expect(try await transfer.run().isComplete)
            #expect(
                try await Tree.lines(of: source, below: "/b") == ["/1 one", "/d/", "/d/2 two", "/d/e/", "/empty/"]
            )
        }
    }

    @Test("a move between two folders of this machine leaves nothing behind", arguments: [true, false])
    func moving(isOneStorage: Bool) async throws {
        try await withTemporaryFolder { folder in
            let source = LocalFileProvider(baseURL: folder)
            try await plant(in: source)
            try await source.create(folder: "x", at: "/")
            let target = isOneStorage ? source : LocalFileProvider(baseURL: folder.appending(path: "x"))
            let place = TransferPlace(target, isOneStorage ? "/x/b" : "/b")
            var options = TransferOptions()
            options.mode = .move
            let report = try await Transfer(from: TransferPlace(source, "/a"), to: place, options: options).run()
            #expect(report.isComplete, "\(report.lines)")
            #expect(try await Tree.lines(of: target, below: place.top) == lines)
            #expect(try await source.contentsOfDirectory(path: "/").map(\.name) == ["x"])
        }
    }
}
