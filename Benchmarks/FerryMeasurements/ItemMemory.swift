import ArgumentParser
import CMalloc
import FerryCore

/// Prints how many bytes of the heap an item in a long list takes, its strings included.
struct ItemMemory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "item-memory",
        abstract: "Bytes per FileObject in a list."
    )

    @Argument(help: "local or remote.")
    var kind: SampleItems

    @Argument(help: "How many items.")
    var count: Int

    func run() {
        let before = Self.allocated
        let items = kind.items(count: count)
        let after = Self.allocated
        withExtendedLifetime(items) {
            print(Double(after - before) / Double(count))
        }
    }

    /// Bytes that are allocated: in arenas, and mapped one by one.
    private static var allocated: Int {
        let statistics = mallinfo2()
        return statistics.uordblks + statistics.hblkhd
    }
}

extension SampleItems: ExpressibleByArgument {}
