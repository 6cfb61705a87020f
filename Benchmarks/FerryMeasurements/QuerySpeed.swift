import ArgumentParser
import FerryCore

/// Prints in how many seconds a query is evaluated a number of times.
struct QuerySpeed: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query-speed",
        abstract: "Seconds for evaluating a query once for each of many items."
    )

    @Argument(help: "The query.")
    var predicate: String

    @Argument(help: "How many items.")
    var count: Int

    func run() throws {
        let items = SampleItems.local.items(count: count)
        let query = try FileQuery(parsing: predicate)
        var found = 0
        let duration = ContinuousClock().measure {
            for item in items where query.matches(item) { found += 1 }
        }
        // Of sizes from 0 to 4095, eleven are not above 10; every name has an "a" in it.
        guard found > 0, found < count else { throw ValidationError("the query finds \(found) of \(count) items") }
        print(duration / .seconds(1))
    }
}
