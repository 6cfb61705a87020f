import FerryCore
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

/// Kills a job at a hundred moments, as `kill -9` does, and lets it go on each time: at ten in usual runs.
@Suite("Killed again and again", .serialized)
struct CrashSweepTests {
    private static let largeSize = 6 << 20
    private static let kills = Sweep.count(100)
    /// The bytes that are under way when the process dies: a part.
    private static let chunk = 64 << 10

    private let scratch: ScratchFolder

    init() throws {
        scratch = try ScratchFolder()
    }

    /// Some large files, and small ones in folders.
    private func plant(
        _ files: Int,
        in folder: String,
        largeSize: Int = Self.largeSize,
        smallSize: Int = 3_000
    ) throws -> Int {
        var size = 0
        func write(_ name: String, _ data: Data) throws {
            let url = URL(filePath: folder).appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try data.write(to: url)
            size += data.count
        }
        for index in 0..<files {
            try write("large\(index).bin", noise(largeSize / files, seed: UInt64(index + 100)))
        }
        for index in 0..<20 { try write("small/\(index % 4)/\(index).txt", noise(smallSize, seed: UInt64(index + 2))) }
        return size
    }

    private func files(in folder: String) throws -> [String: Data] {
        guard FileManager.default.fileExists(atPath: folder) else { return [:] }
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder: ObjCBool = false
            let path = folder + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = try Data(contentsOf: URL(filePath: path))
        }
        return files
    }

    /// Bytes of all files in a folder, without reading them.
    private func length(of folder: String) throws -> Int {
        guard FileManager.default.fileExists(atPath: folder) else { return 0 }
        return try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(0) { sum, name in
            let facts = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            return facts[.type] as? FileAttributeType == .typeRegular ? sum + (facts[.size] as? Int ?? 0) : sum
        }
    }

    /// Where processes note how much they have written: beside the journal, whose files are no leftovers.
    private var written: URL { scratch.url.appending(path: "journal.sqlite.written") }

    private struct Ending {
        var wasKilled: Bool
        var code: Int32
        var words: String
    }

    private func victim(
        _ source: String,
        _ target: String,
        login: String = ":",
        files: Int,
        bytes: Int,
        calls: Int
    ) async throws -> Ending {
        let tests = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        let program = tests.deletingLastPathComponent().appending(path: "FerryTransferVictim").path
        let result = try await TestProgram.run(
            program,
            [
                source, target, scratch.url.appending(path: "journal.sqlite").path, "1", "\(files)", "\(bytes)",
                "\(calls)",
            ],
            environment: ProcessInfo.processInfo.environment
                .merging(["VICTIM_LOGIN": login, "VICTIM_WRITTEN": written.path]) { $1 }
        )
        let words = result.output + result.errors
        switch result.ending {
        case .exited(let code): return Ending(wasKilled: false, code: code, words: words)
        case .signaled(let signal): return Ending(wasKilled: signal == SIGKILL, code: signal, words: words)
        }
    }

    /// Moments, the same for each seed: most after some bytes, some before a call to the target.
    private func moments() -> [(bytes: Int, calls: Int)] {
        var numbers = SeededGenerator(seed: Sweep.firstSeed &+ 4)
        return (0..<Self.kills).map { index in
            index % 5 == 4
                ? (0, Int.random(in: 1...12, using: &numbers)) : (Int.random(in: 1...100_000, using: &numbers), 0)
        }
    }

    /// Kills a job again and again until it is done.
    ///
    /// - Returns: How often it was killed.
    private func sweep(_ body: (_ bytes: Int, _ calls: Int) async throws -> Ending) async throws -> Int {
        var killed = 0
        for moment in moments() {
            let ending = try await body(moment.bytes, moment.calls)
            if ending.wasKilled { killed += 1 } else { #expect(ending.code == 0, "\(ending.words)") }
        }
        let last = try await body(0, 0)
        #expect(!last.wasKilled && last.code == 0, "\(last.words)")
        return killed
    }

    private func expectEnd(_ source: String, _ target: String) throws {
        let (wanted, found) = (try files(in: source), try files(in: target))
        #expect(found.keys.sorted() == wanted.keys.sorted())
        for (name, data) in wanted { #expect(found[name] == data, "\(name)") }
        // The journal is there, and no lock of a job.
        #expect(try scratch.names().filter { $0.hasSuffix(".lock") } == [])
    }

    /// Kills a job between a server and a folder until it is done, and looks at how much has passed.
    ///
    /// All bytes on the line count, heads too, but for what a run says that has nothing to do: that is measured. What may
    /// be sent once more is a chunk of each file that was under way.
    private func expectLittle(
        of size: Int,
        files: Int,
        from proxy: FaultProxy,
        counting count: KeyPath<FaultProxy, Int>,
        _ body: (_ bytes: Int, _ calls: Int) async throws -> Ending
    ) async throws {
        let killed = try await sweep(body)
        #expect(killed >= Self.kills * 9 / 10)
        let passed = proxy[keyPath: count]
        let idle = try await body(0, 0)
        #expect(idle.code == 0, "\(idle.words)")
        let talk = (proxy[keyPath: count] - passed) * (Self.kills + 1)
        #expect(
            Double(passed - talk) <= 1.1 * Double(size) + Double(killed * Self.chunk * files),
            "\(passed) for \(size), of which \(talk) are listings"
        )
    }

    @Test(
        "uploading to Apache, one file or several at a time",
        .timeLimit(.minutes(Sweep.isDeep ? 60 : 15)),
        arguments: [1, 3]
    )
    func uploading(files: Int) async throws {
        let server = try await RealServer.start(.apache)
        let place = try server.makePlace(server.http)
        let source = scratch.url.appending(path: "from").path
        let size = try plant(files, in: source)
        let port = try #require(place.url.port)
        try await withFaultProxy(to: port) { proxy in
            try await expectLittle(of: size, files: files, from: proxy, counting: \.requestByteCount) { bytes, calls in
                try await victim(
                    source,
                    proxy.url(like: place.url).absoluteString,
                    login: "\(server.user):\(server.password)",
                    files: files,
                    bytes: bytes,
                    calls: calls
                )
            }
        }
        try expectEnd(source, place.path)
    }

    @Test(
        "downloading from Apache to a folder of this machine, one file or several at a time",
        .timeLimit(.minutes(Sweep.isDeep ? 60 : 15)),
        arguments: [1, 3]
    )
    func downloading(files: Int) async throws {
        let server = try await RealServer.start(.apache)
        let place = try server.makePlace(server.http)
        let size = try plant(files, in: place.path)
        for index in 0..<files { place.own("large\(index).bin") }
        let target = scratch.url.appending(path: "to").path
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        let port = try #require(place.url.port)
        try await withFaultProxy(to: port) { proxy in
            try await expectLittle(of: size, files: files, from: proxy, counting: \.answerByteCount) { bytes, calls in
                try await victim(
                    proxy.url(like: place.url).absoluteString,
                    target,
                    login: "\(server.user):\(server.password)",
                    files: files,
                    bytes: bytes,
                    calls: calls
                )
            }
        }
        try expectEnd(place.path, target)
    }

    @Test(
        "copying from one folder of this machine to another, few large files or many small ones",
        .timeLimit(.minutes(Sweep.isDeep ? 60 : 15)),
        arguments: [3_000, 250_000]
    )
    func copying(smallSize: Int) async throws {
        let (source, target) = (scratch.url.appending(path: "from").path, scratch.url.appending(path: "to").path)
        // A run comes further than the moment at which it is to die, by what is under way.
        let size = try plant(2, in: source, largeSize: 8 * Self.largeSize, smallSize: smallSize)
        try Data().write(to: written)
        // Files as young as the difference of the clocks are copied again.
        try await Task.sleep(for: .milliseconds(30))
        var numbers = SeededGenerator(seed: Sweep.firstSeed &+ 5)
        var killed = 0
        var most = 0
        for _ in 0..<Self.kills {
            // Copied bytes count at once: so this is how far a run comes beyond the last one.
            let bytes = try length(of: target) + Int.random(in: 1...70_000, using: &numbers)
            let ending = try await victim(source, target, files: 1, bytes: bytes, calls: 0)
            if ending.wasKilled { killed += 1 } else { #expect(ending.code == 0, "\(ending.words)") }
            let there = try length(of: target)
            // Nothing that is there is ever given up.
            #expect(there >= most && there <= size)
            most = there
        }
        #expect(killed == Self.kills)
        // One that ends, and one that has nothing to do.
        for _ in 1...2 {
            let last = try await victim(source, target, files: 1, bytes: 0, calls: 0)
            #expect(!last.wasKilled && last.code == 0, "\(last.words)")
        }
        let counts = try String(contentsOf: written, encoding: .utf8).split(separator: "\n").compactMap { Int($0) }
        #expect(counts.count == Self.kills + 2)
        let all = counts.dropLast().reduce(0, +) - (counts.count - 1) * (counts.last ?? 0)
        #expect(Double(all) <= 1.1 * Double(size) + Double(killed * Self.chunk), "\(all) for \(size)")
        try expectEnd(source, target)
        // Nor is anything left beside it, of a folder that was to be copied as a whole.
        #expect(try scratch.names().filter { !$0.hasPrefix("journal.sqlite") } == ["from", "to"])
    }
}
