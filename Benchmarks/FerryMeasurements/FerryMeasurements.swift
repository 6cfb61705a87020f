import ArgumentParser

/// Measures inside one fresh process, and prints a number.
@main
struct FerryMeasurements: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ferry-measurements",
        abstract: "Measures the library from inside a process, and prints a number.",
        subcommands: [
            ItemMemory.self, QuerySpeed.self, CachedListing.self, CachedContents.self, FillStore.self, OpenStore.self,
            EvictionSpeed.self, WatchCost.self, HashSpeed.self,
        ]
    )
}
