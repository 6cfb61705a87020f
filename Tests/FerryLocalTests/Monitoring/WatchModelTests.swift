#if os(Linux)
import FerryCore
import FerryTestKit
import Foundation
import Synchronization
import Testing

@testable import FerryLocal

@Suite("Who applies the changes of a watched local folder", .timeLimit(.minutes(30)))
struct WatchModelTests {
    private static let folders = 200
    private static let operations = Sweep.count(20_000)
    private static let portion = 500

    @Test("knows it after thousands of random operations, while folders move about")
    func random() async throws {
        try await run(seed: Sweep.firstSeed)
    }

    private func run(seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("outside")
        let vandal = Vandal(folder.path("w"), outside: folder.path("outside"), folders: Self.folders)
        vandal.makeFolders()
        let files = folder.provider("w")
        var changes = try await files.changes(under: "/").makeAsyncIterator()
        var model = try await WatchedModel(of: files)
        let pool = BlockingPool(threadCount: 2)
        var round = 0
        for start in stride(from: 0, to: Self.operations, by: Self.portion) {
            async let work: Void = pool.run {
                var random = SeededGenerator(seed: seed &+ UInt64(start))
                for _ in 0..<Self.portion { vandal.act(&random) }
            }
            async let moves: Void = pool.run {
                var random = SeededGenerator(seed: ~seed &+ UInt64(start))
                for _ in 0..<Self.portion / 10 { vandal.moveFolder(&random) }
            }
            _ = try await (work, moves)
            round += 1
            try await model.catchUp(&changes, vandal, round)
        }
        // Some changes take a moment longer to be known, such as those of a file that was still open.
        var left = try await model.differences()
        for _ in 0..<20 where !left.isEmpty {
            round += 1
            try await model.catchUp(&changes, vandal, round)
            left = try await model.differences()
        }
        print("\(model.count) changes, \(model.rescans) rescans, \(model.paths.count) items are left")
        #expect(left == [], "seed \(seed), \(model.count) changes, \(model.rescans) rescans")
        #expect(model.count > Self.operations / 4, "seed \(seed)")
        #expect(model.rescans * 200 < model.count, "seed \(seed): \(model.rescans) rescans in \(model.count) changes")
    }
}

extension WatchedModel {
    /// Applies what is told until a file comes that is made now.
    fileprivate mutating func catchUp(
        _ changes: inout FileChanges.AsyncIterator,
        _ vandal: Vandal,
        _ round: Int
    ) async throws {
        let mark = vandal.mark(round)
        while let change = try await changes.next() {
            try await apply(change)
            if change.path == mark || change == FileChange(.rescan, path: "/") { return }
        }
        Issue.record("the watch has ended")
    }
}

/// Does things to a folder, some of which fail.
private final class Vandal: Sendable {
    private let base: String
    private let outside: String
    private let folders: Int
    private let number = Mutex(0)

    init(_ base: String, outside: String, folders: Int) {
        self.base = base
        self.outside = outside
        self.folders = folders
    }

    func makeFolders() {
        mkdir(base, 0o700)
        for number in 0..<folders {
            // Some are in each other.
            let parent = number < 20 ? "" : "/\(number % 20)"
            mkdir("\(base)\(parent)/\(number)", 0o700)
            for file in 0..<3 { write("\(base)\(parent)/\(number)/file\(file)") }
        }
    }

    /// Makes a file at the top by which everybody knows how far they are.
    func mark(_ round: Int) -> ItemPath {
        close(open("\(base)/mark-\(round)", O_CREAT | O_RDONLY | O_CLOEXEC, 0o600))
        return ItemPath("/mark-\(round)")
    }

    func act(_ random: inout SeededGenerator) {
        let file = "\(folder(&random))/\(name(&random))"
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25: write(file)
        case 25..<35: append(file)
        case 35..<50: unlink(file)
        case 50..<65: rename(file, "\(folder(&random))/\(name(&random))")
        case 65..<70:
            write(file + "~")
            rename(file + "~", file)
        // Under its new name it is never written to: of two names the system tells the one that was used.
        case 70..<74: link(file, "\(folder(&random))/\(name(&random)).hard")
        case 74..<77: symlink("..", file)
        case 77..<80: chmod(file, Bool.random(using: &random) ? 0o600 : 0o644)
        case 80..<86: makeTree(file + ".d")
        case 86..<90: removeTree(file + ".d")
        case 90..<93: rename(file + ".d", outside + "/" + name(&random) + ".d")
        case 93..<96: rename(outside + "/" + name(&random) + ".d", file + ".d")
        case 96..<98: rename(file, outside + "/" + name(&random))
        default: rename(outside + "/" + name(&random), file)
        }
    }

    /// Renames a folder in which others do something at this moment.
    func moveFolder(_ random: inout SeededGenerator) {
        let from = folder(&random)
        if Bool.random(using: &random) {
            rename(from, folder(&random) + "/\(Int.random(in: 0..<folders, using: &random))")
        } else {
            let aside = base + "/aside\(Int.random(in: 0..<3, using: &random))"
            rename(from, aside)
            rename(aside, folder(&random))
        }
        // There shall be folders to move.
        mkdir(from, 0o700)
    }

    private func folder(_ random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0..<folders, using: &random)
        return number < 20 ? "\(base)/\(number)" : "\(base)/\(number % 20)/\(number)"
    }

    private func name(_ random: inout SeededGenerator) -> String {
        "file\(Int.random(in: 0..<8, using: &random))"
    }

    private func write(_ path: String) {
        let file = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if file < 0 { return }
        // Never twice the same length: so it shows whether a change of the content was told.
        let length = number.withLock { number in
            number += 1
            return number
        }
        ftruncate(file, off_t(length))
        close(file)
    }

    private func append(_ path: String) {
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        if file < 0 { return }
        _ = Foundation.write(file, "x", 1)
        close(file)
    }

    private func makeTree(_ path: String) {
        for folder in ["", "/1", "/1/2", "/1/2/3", "/4"] {
            mkdir(path + folder, 0o700)
            write(path + folder + "/x")
        }
    }

    private func removeTree(_ path: String) {
        for folder in ["/4", "/1/2/3", "/1/2", "/1", ""] {
            unlink(path + folder + "/x")
            rmdir(path + folder)
        }
    }
}
#endif
