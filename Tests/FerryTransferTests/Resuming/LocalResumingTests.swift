import CoreFoundation
import FerryCore
import FerryLocal
import FerryTestKit
import FerryTestServers
import Foundation
import GRDB
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("From one folder of this machine to another")
struct LocalResumingTests {
    private static let size = 1_000_000

    private let scratch: ScratchFolder
    private let from: URL
    private let to: URL
    private let large = noise(LocalResumingTests.size)

    init() throws {
        scratch = try ScratchFolder()
        from = scratch.url.appending(path: "from")
        to = scratch.url.appending(path: "to")
        for folder in [from, from.appending(path: "d/e"), to] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try large.write(to: from.appending(path: "d/large.bin"))
        try Data("small".utf8).write(to: from.appending(path: "d/e/small.txt"))
        try FileManager.default.setAttributes([.posixPermissions: 0o751], ofItemAtPath: from.path + "/d/large.bin")
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        for name in ["d/large.bin", "d/e/small.txt", "d/e", "d"] {
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: from.path + "/" + name)
        }
    }

    private func transfer(_ top: ItemPath = "/", _ change: (inout TransferOptions) -> Void = { _ in }) throws
        -> Transfer
    {
        var options = TransferOptions.inParts
        options.partedSize = 100_000
        change(&options)
        return try Transfer(
            from: TransferPlace(LocalFileProvider(baseURL: from), top),
            to: TransferPlace(LocalFileProvider(baseURL: to), top),
            options: options,
            clock: SteppingClock()
        )
    }

    private func journal() async throws -> TransferJournal {
        try await TransferJournal.open(at: scratch.url.appending(path: "state/journal.sqlite"))
    }

    /// Runs until so many bytes are there, and breaks off.
    private func interrupt(_ transfer: Transfer, after bytes: Int64) async throws {
        let journal = try await journal()
        await #expect(throws: CancellationError.self) {
            try await inCancellableTask { canceller in
                let progress = AlarmedProgress(beyond: bytes) { _ in canceller.cancel() }
                _ = try await transfer.run(journal: journal, reporting: progress)
            }
        }
    }

    private func expectCopy() throws {
        #expect(try scratch.names(in: "to/d") == ["e", "large.bin"])
        #expect(try Data(contentsOf: to.appending(path: "d/large.bin")) == large)
        #expect(try Data(contentsOf: to.appending(path: "d/e/small.txt")) == Data("small".utf8))
        for name in ["d/large.bin", "d/e/small.txt", "d/e", "d"] {
            let original = try FileManager.default.attributesOfItem(atPath: from.path + "/" + name)
            let copy = try FileManager.default.attributesOfItem(atPath: to.path + "/" + name)
            #expect(copy[.modificationDate] as? Date == original[.modificationDate] as? Date, "\(name)")
            #expect(copy[.posixPermissions] as? Int == original[.posixPermissions] as? Int, "\(name)")
        }
    }

    @Test("a large file goes on where it broke off, and has all that the original has", arguments: [0.1, 0.5, 0.95])
    func resuming(part: Double) async throws {
        try await interrupt(try transfer(), after: Int64(Double(Self.size) * part))
        let partial = try #require(try scratch.names(in: "to/d").first { $0.hasPrefix(".ferry-") })
        let there = try Data(contentsOf: to.appending(path: "d/\(partial)")).count
        #expect(Double(there) >= Double(Self.size) * part - 65_536)
        let journal = try await journal()
        #expect(try await journal.jobs().map(\.unfinishedFiles.count) == [1])
        let report = try await transfer().run(journal: journal)
        #expect(report.isComplete, "\(report.lines)")
        #expect(report.bytes <= Int64(Self.size - there) + 4_096)
        try expectCopy()
        #expect(try await journal.jobs() == [])
    }

    @Test("a folder is still copied as a whole, but for what is large in it; in the end all is as in the original")
    func wholeFolder() async throws {
        let did = Mutex<[ItemPath]>([])
        let progress = Progress(totalUnitCount: 0)
        let report = try await transfer().run(journal: try await journal(), reporting: progress) { event in
            if case .did(let action) = event { did.withLock { $0.append(action.path) } }
        }
        #expect(report.isComplete && report.bytes == Int64(Self.size + 5), "\(report)")
        #expect(did.withLock { $0 } == ["/d"])
        #expect(progress.completedUnitCount == progress.totalUnitCount)
        #expect(progress.totalUnitCount == Int64(Self.size + 5))
        #expect(progress.transferStatus?.filesDone == 2 && progress.transferStatus?.filesFound == 2)
        try expectCopy()
    }

    @Test(
        "what the target refuses of a folder is counted, be it of what is small or large in it",
        .enabled(if: geteuid() == 0, "mounting needs root")
    )
    func refusedAttributes() async throws {
        let source = LocalFileProvider(baseURL: from)
        for path: ItemPath in ["/d/large.bin", "/d/e/small.txt", "/d/e"] {
            try await source.setAttributes(ItemAttributes(extendedAttributes: ["user.a": Data("1".utf8)]), path: path)
        }
        // A file system that knows no attributes of users.
        try #require(try await TestProgram.run("mount", ["-t", "ramfs", "ramfs", to.path]).ending.isSuccess)
        do {
            let report = try await transfer().run(journal: try await journal())
            #expect(report.isComplete && report.losses == [.extendedAttributes: 3], "\(report)")
            try expectCopy()
        } catch {
            Issue.record(error)
        }
        _ = try await TestProgram.run("umount", ["-l", to.path])
    }

    enum Fate: CaseIterable {
        case goesOn, isForgotten, machineRestarted
    }

    @Test(
        "a folder of small files goes on where it broke off, unless the machine has started anew, and is gone when forgotten",
        arguments: Fate.allCases
    )
    func smallFiles(_ fate: Fate) async throws {
        let (count, size) = (400, 200_000)
        for index in 0..<count {
            try Data(repeating: UInt8(index % 251), count: size).write(to: from.appending(path: "d/e/\(index)"))
        }
        // Files as young as the difference of the clocks are copied again.
        try await Task.sleep(for: .milliseconds(30))
        let all: (inout TransferOptions) -> Void = { $0.partedSize = 300_000 }
        try await interrupt(try transfer("/", all), after: 4 << 20)
        #expect(try scratch.names(in: "to").count { $0.hasPrefix(".ferry-") } == 1)
        let journal = try await journal()
        #expect(try await journal.jobs().first?.unfinishedFiles.map(\.isFolder) == [true])
        if fate == .machineRestarted {
            try await journal.database.write { database in
                try database.execute(sql: "UPDATE partial SET record = json_set(record, '$.write.values.boot', 'x')")
            }
        }
        if fate == .isForgotten {
            let id = try #require(try await journal.jobs().first?.id)
            try await journal.forget(id, at: LocalFileProvider(baseURL: to))
            #expect(try scratch.names(in: "to") == [])
        }
        let report = try await transfer("/", all).run(journal: journal)
        // But for what was under way.
        let rest = fate == .goesOn ? count * size - (4 << 20) + 4 * size : count * size
        if fate != .goesOn { #expect(report.bytes >= Int64(rest)) }
        #expect(report.isComplete && report.bytes <= Int64(rest + Self.size + 5), "\(report)")
        #expect(try await journal.jobs() == [])
        for index in 0..<count {
            let copy = try Data(contentsOf: to.appending(path: "d/e/\(index)"))
            #expect(copy.count == size && copy == Data(repeating: UInt8(index % 251), count: size))
        }
        try expectCopy()
    }

    @Test("a source that has changed is copied anew, and so is one that changes meanwhile")
    func changed() async throws {
        try await interrupt(try transfer(), after: 500_000)
        let other = noise(Self.size, seed: 2)
        try other.write(to: from.appending(path: "d/large.bin"))
        let report = try await transfer().run(journal: try await journal())
        #expect(report.isComplete && report.bytes == Int64(Self.size), "\(report)")
        #expect(try Data(contentsOf: to.appending(path: "d/large.bin")) == other)
        #expect(try scratch.names(in: "to/d") == ["e", "large.bin"])
    }

    @Test("holes stay holes, also after a break")
    func holes() async throws {
        let path = from.appending(path: "d/large.bin")
        let file = try FileHandle(forWritingTo: path)
        try file.truncate(atOffset: 0)
        try file.seek(toOffset: 8 << 20)
        try file.write(contentsOf: Data("end".utf8))
        try file.truncate(atOffset: 16 << 20)
        try file.close()
        try await interrupt(try transfer { $0.partSize = 1 << 20 }, after: 5 << 20)
        #expect(try await transfer { $0.partSize = 1 << 20 }.run(journal: try await journal()).isComplete)
        let copy = to.appending(path: "d/large.bin")
        #expect(try Data(contentsOf: copy) == Data(contentsOf: path))
        var (original, copied) = (stat(), stat())
        #expect(stat(path.path, &original) == 0 && stat(copy.path, &copied) == 0)
        #expect(copied.st_blocks <= original.st_blocks + 16)
    }

    @Test(
        "a limit counts, for whole folders and single files, on one storage and between two",
        arguments: [true, false]
    )
    func limited(isOneStorage: Bool) async throws {
        var options = TransferOptions()
        options.bandwidth = BandwidthLimit(up: 100_000, down: 1)
        let clock = SteppingClock()
        let storage = LocalFileProvider(baseURL: scratch.url)
        let transfer = try Transfer(
            from: isOneStorage ? TransferPlace(storage, "/from") : TransferPlace(LocalFileProvider(baseURL: from)),
            to: TransferPlace(storage, "/to/new"),
            options: options,
            clock: clock
        )
        let report = try await transfer.run()
        #expect(report.isComplete && report.losses.isEmpty, "\(report)")
        #expect(try Data(contentsOf: to.appending(path: "new/d/large.bin")) == large)
        // All but what the bucket holds in the beginning.
        #expect(clock.now.offset >= .seconds(Double(Self.size) / 100_000 - 0.2))
        let mode = try FileManager.default.attributesOfItem(atPath: to.path + "/new/d/large.bin")[.posixPermissions]
        #expect(mode as? Int == 0o751)
    }
}
