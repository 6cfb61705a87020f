import ArgumentParser

/// Measures inside one fresh process, and prints a number.
@main
struct FerryMeasurements: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ferry-measurements",
        abstract: "Measures the library from inside a process, and prints a number.",
        subcommands: [ItemMemory.self, QuerySpeed.self]
    )
}
