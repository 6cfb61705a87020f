import ArgumentParser
import CMalloc
import FerryCore
import FerryLocal
import Foundation

/// Prints what it costs to watch a tree.
struct WatchCost: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch-cost",
        abstract: "Seconds until a tree is watched, or bytes of the heap for each item in it."
    )

    enum Aspect: String, ExpressibleByArgument {
        case seconds, bytes
    }

    @Argument(help: "seconds or bytes.")
    var aspect: Aspect

    @Argument(help: "The folder.")
    var folder: String

    @Argument(help: "How many items are in it.")
    var count: Int

    func run() async throws {
        let files = LocalFileProvider(baseURL: URL(filePath: folder, directoryHint: .isDirectory))
        // This is made once for any number of watches.
        _ = try await files.storageProperties()
        let before = Self.allocated
        let start = ContinuousClock.now
        let changes = try await files.changes(under: "/")
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let after = Self.allocated
        withExtendedLifetime(changes) {
            print(aspect == .seconds ? seconds : Double(after - before) / Double(count))
        }
    }

    /// Bytes that are allocated; of one arena, which the environment asks for, and mapped one by one.
    private static var allocated: Int {
        let statistics = mallinfo2()
        return statistics.uordblks + statistics.hblkhd
    }
}
