import FerryCore
import FerryFTP
import FerryMemory
import FerryTestKit
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

/// Fifty seeds in usual runs, five hundred with `FERRY_DEEP=1`.
@Suite("Random trees over lines that break")
struct FTPTreeTests {
    private static let ways: [FTPServerWay] = [
        .init(.pureftpd, .explicit), .init(.proftpd, .explicit), .init(.vsftpd, .plain),
    ]

    private static let blocks = UInt64(Sweep.count(50))
    private static let seedsOfBlock: UInt64 = 10

    @Test("come over whole to a server and back, and nothing else is there", arguments: 0..<blocks)
    func trees(block: UInt64) async throws {
        let way = Self.ways[Int(block) % Self.ways.count]
        let first = Sweep.firstSeed + block * Self.seedsOfBlock
        try await withStage(way, FTPStage.Settings(patience: .seconds(120))) { stage in
            for seed in first..<first + Self.seedsOfBlock { try await tryTree(seed, stage) }
        }
    }

    private func tryTree(_ seed: UInt64, _ stage: FTPStage) async throws {
        var numbers = SeededGenerator(seed: seed)
        let (source, back) = (MemoryFileProvider(), MemoryFileProvider())
        try await grow(source, using: &numbers, takesAsterisks: stage.server.way.kind != .proftpd)
        let wanted = try await contents(of: source, below: "/from")
        let place = ItemPath.root.appending("tree-\(seed)")
        var up = TransferOptions()
        up.mode = .sync
        up.largestRemoval = 1
        up.concurrency = Int(seed % 4) + 1
        try await run(seed, stage, &numbers, directions: [.request, .answer]) {
            try Transfer(
                from: TransferPlace(source, "/from"),
                to: TransferPlace(stage.provider, place),
                options: up,
                retryPolicy: Self.patience
            )
        }
        stage.proxy.fault = nil
        try await requireSame(contents(of: stage.files.base, below: place), wanted, "up, seed \(seed)")
        try await run(seed, stage, &numbers, directions: [.answer]) {
            try Transfer(
                from: TransferPlace(stage.provider, place),
                to: TransferPlace(back, "/to"),
                options: up,
                retryPolicy: Self.patience
            )
        }
        stage.proxy.fault = nil
        try await requireSame(contents(of: back, below: "/to"), wanted, "down, seed \(seed)")
    }

    private func requireSame(_ found: [ItemPath: Data?], _ wanted: [ItemPath: Data?], _ place: String) {
        for path in Set(found.keys).union(wanted.keys).sorted(by: { "\($0)" < "\($1)" })
        where found[path] != wanted[path] {
            Issue.record("\(place): \(path) is \(words(found[path])) instead of \(words(wanted[path]))")
        }
    }

    private func words(_ content: Data??) -> String {
        switch content {
        case nil: "nothing"
        case .some(nil): "a folder"
        case .some(.some(let data)): "a file of \(data.count) bytes"
        }
    }

    private static let patience = RetryPolicy(maximumAttempts: 3, firstDelay: .milliseconds(1))

    /// Runs again and again over a line that is cut at some byte, as after deaths of the process, until all is done.
    private func run(
        _ seed: UInt64,
        _ stage: FTPStage,
        _ numbers: inout SeededGenerator,
        directions: [Fault.Direction],
        _ transfer: () throws -> Transfer
    ) async throws {
        var last = ""
        for attempt in 0..<8 {
            if attempt < 3, let direction = directions.randomElement(using: &numbers) {
                let offset = Int.random(in: 200...20_000, using: &numbers)
                stage.proxy.fault = Fault(.cut, direction, after: offset, counting: .fromNow, times: 2)
            } else {
                stage.proxy.fault = nil
            }
            do {
                let report = try await transfer().run()
                if report.failures.isEmpty { return }
                last = report.failures.map { "\($0)" }.joined(separator: "; ")
            } catch let error as URLError {
                last = "\(error)"
            }
        }
        Issue.record("seed \(seed): it is never done, at last for \(last)")
    }

    /// ProFTPD makes no folder with an asterisk in its name.
    private func grow(_ storage: MemoryFileProvider, using numbers: inout SeededGenerator, takesAsterisks: Bool)
        async throws
    {
        var folders: [ItemPath] = ["/from"]
        try await storage.create(folder: "from", at: "/")
        for _ in 0..<Int.random(in: 1...8, using: &numbers) {
            let names = [
                "a", "b", "c", "ä", "x y", "%", "-l", "a -> b", takesAsterisks ? "[*]" : "[+]", ".hidden", "log.o",
            ]
            guard let parent = folders.randomElement(using: &numbers), let name = names.randomElement(using: &numbers)
            else { return }
            let path = parent.appending(name)
            if await (try? storage.attributesOfItem(path: path)) != nil { continue }
            if UInt8.random(in: 0..<3, using: &numbers) == 0 {
                try await storage.create(folder: name, at: parent)
                folders.append(path)
            } else {
                let size = [0, 1, 200, 5_000, 40_000].randomElement(using: &numbers) ?? 0
                let byte = UInt8.random(in: 1...255, using: &numbers)
                try await storage.writeStream(
                    path: path,
                    contents: DataChunks(Data(repeating: byte, count: size)),
                    length: Int64(size),
                    options: WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_577_934_245 + Double(size)))
                )
            }
        }
    }

    /// Everything below a folder: a file's bytes, `nil` for a folder.
    private func contents(of storage: some FileProviderReadWrite, below top: ItemPath) async throws -> [ItemPath: Data?]
    {
        var contents: [ItemPath: Data?] = [:]
        for try await element in TreeWalk(storage, path: top) {
            switch element {
            case .failure(let error, _): throw error
            case .page(let items, _):
                for item in items {
                    let path = item.path.relative(to: top) ?? item.path
                    contents[path] = .some(item.isDirectory ? nil : try await storage.contents(path: item.path))
                }
            }
        }
        return contents
    }
}
