import FerryCore
import FerryMemory
import FerryTestKit
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@testable import FerrySFTP

/// Random trees to a real server and back, on lines that fail now and then.
@Suite("Trees over SFTP, on lines that fail")
struct SFTPTreeTests {
    private typealias Files = [String: Data]

    /// Fifty, with `FERRY_DEEP=1` five hundred.
    private static let seeds: [UInt64] = (0..<(Sweep.isDeep ? 500 : 50)).map { Sweep.firstSeed &+ $0 }

    private static let names = ["a", "b c", "ü", "deep", "x%20", "-n", ".hidden", "end "]

    private static func tree(_ numbers: inout SeededGenerator, sizes: ClosedRange<Int>) -> Files {
        var files: Files = [:]
        for _ in 0..<Int.random(in: 1...12, using: &numbers) {
            let folders = (0..<Int.random(in: 0...2, using: &numbers)).map {
                "d\($0) \(Int.random(in: 0...1, using: &numbers))/"
            }
            let name = names[Int.random(in: 0..<names.count, using: &numbers)]
            let size = Int.random(in: sizes, using: &numbers)
            let seed = UInt8.random(in: 0...255, using: &numbers)
            files[folders.joined() + name] = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed })
        }
        return files
    }

    private static func plant(_ files: Files, in provider: any FileProvider) async throws {
        for (path, data) in files {
            let place = ItemPath(stringLiteral: "/" + path)
            if !place.parent.isRoot {
                let (name, above) = (place.parent.lastName, place.parent.parent)
                try await provider.create(folder: name, at: above, creatingParents: true)
            }
            try await provider.writeContents(path: place, contents: data, overwrite: true)
        }
    }

    /// Returns what is on a disk, hidden names too.
    private static func files(in folder: String) throws -> Files {
        var files: Files = [:]
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

    private static func files(of provider: MemoryFileProvider) async throws -> Files {
        var files: Files = [:]
        for try await element in TreeWalk(provider, path: "/") {
            guard case .page(let items, _) = element else { continue }
            for item in items where item.isRegularFile {
                files[String(item.path.string.dropFirst())] = try await provider.contents(path: item.path)
            }
        }
        return files
    }

    /// Runs again and again, as after deaths of the process.
    private static func runUntilDone(_ make: (UInt64) throws -> Transfer) async throws -> Bool {
        for attempt in UInt64(0)..<25 {
            do {
                if try await make(attempt).run().failures.isEmpty { return true }
            } catch is URLError {
                continue
            }
        }
        return false
    }

    private static func faults(_ seed: UInt64) -> FaultPlan {
        FaultPlan(
            [
                .init(on: .chance(0.05), fault: .error(URLError(.networkConnectionLost))),
                .init(
                    .writeStream,
                    .createFolder,
                    .removeItem,
                    on: .chance(0.05),
                    fault: .lostAnswer(URLError(.timedOut))
                ),
                .init(.contentStream, on: .chance(0.05), fault: .cut(afterBytes: 20, URLError(.networkConnectionLost))),
            ],
            seed: seed
        )
    }

    @Test("in the end both sides are equal, and nothing else is there", arguments: seeds)
    func trees(_ seed: UInt64) async throws {
        var numbers = SeededGenerator(seed: seed)
        let files = Self.tree(&numbers, sizes: 0...3_000)
        let before = Self.tree(&numbers, sizes: 3_001...4_000)
        try await withSFTPStage { stage in
            let memory = MemoryFileProvider()
            var options = TransferOptions()
            options.mode = .sync
            options.largestRemoval = 1
            options.concurrency = Int(seed % 5) + 1
            let goesUp = seed % 2 == 0
            try await Self.plant(goesUp ? files : before, in: memory)
            try await Self.plant(goesUp ? before : files, in: stage.provider)
            let isDone = try await Self.runUntilDone { attempt in
                let near = FaultInjectingFileProvider(memory, plan: Self.faults(seed &* 3 &+ attempt))
                let far = FaultInjectingFileProvider(stage.provider, plan: Self.faults(seed &* 7 &+ attempt))
                let places = (TransferPlace(near, "/"), TransferPlace(far, "/"))
                return try Transfer(
                    from: goesUp ? places.0 : places.1,
                    to: goesUp ? places.1 : places.0,
                    options: options,
                    retryPolicy: RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))
                )
            }
            #expect(isDone)
            let wanted = files
            #expect(try Self.files(in: stage.place.path) == wanted, "seed \(seed)")
            #expect(try await Self.files(of: memory) == wanted, "seed \(seed)")
        }
    }

    @Test("a line that is really cut, again and again, loses nothing", arguments: 0..<UInt64(Sweep.isDeep ? 20 : 2))
    func cutLines(_ number: UInt64) async throws {
        let seed = Sweep.firstSeed &+ number
        var numbers = SeededGenerator(seed: seed)
        let files = Self.tree(&numbers, sizes: 0...200_000)
        let server = try await SSHServer.shared()
        let place = try server.makePlace()
        defer { place.remove() }
        try await withFaultProxy(to: server.port) { proxy in
            var sftp = SFTPOptions()
            sftp.configurationFile = try await server.clientConfiguration()
            let far = try SFTPFileProvider(baseURL: place.url(port: proxy.port), options: sftp)
            let near = MemoryFileProvider()
            try await Self.plant(files, in: near)
            var options = TransferOptions()
            options.mode = .sync
            var cuts = 0
            let isDone = try await Self.runUntilDone { _ in
                cuts += 1
                let bytes = Int.random(in: 8_000...150_000, using: &numbers)
                proxy.fault =
                    cuts < 6
                    ? (cuts % 2 == 0 ? .cutAnswer(after: bytes / 8, times: 1) : .cutRequest(after: bytes, times: 1))
                    : nil
                return try Transfer(
                    from: TransferPlace(near, "/"),
                    to: TransferPlace(far, "/"),
                    options: options,
                    retryPolicy: RetryPolicy(maximumAttempts: 2, firstDelay: .milliseconds(1))
                )
            }
            #expect(isDone)
            try await until("leftovers of cut lines are gone") { try Self.files(in: place.path) == files }
            await far.invalidate()
        }
    }

    @Test("'mv' from a server to itself, in another folder, and to memory moves all")
    func moving() async throws {
        var numbers = SeededGenerator(seed: 11)
        let files = Self.tree(&numbers, sizes: 1...1_000)
        try await withSFTPStage { stage in
            try await Self.plant(
                Dictionary(uniqueKeysWithValues: files.map { ("from/" + $0.key, $0.value) }),
                in: stage.provider
            )
            let memory = MemoryFileProvider()
            var options = TransferOptions()
            options.mode = .move
            let report = try await Transfer(
                from: TransferPlace(stage.provider, "/from"),
                to: TransferPlace(memory, "/"),
                options: options
            ).run()
            #expect(report.failures.isEmpty, "\(report.lines)")
            #expect(try await Self.files(of: memory) == files)
            #expect(try stage.place.names() == [])
        }
    }
}
