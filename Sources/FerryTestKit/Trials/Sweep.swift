import Foundation

/// The extent of tests that try many random cases: models, sweeps of kills, mutations.
///
/// A usual run tries a tenth of the cases, others in each commit; `FERRY_DEEP=1` in the environment tries all.
package enum Sweep {
    /// A Boolean value that indicates whether everything is tried, however long that takes.
    package static let isDeep = environment["FERRY_DEEP"] == "1"

    /// The first seed: the value of `FERRY_SEED`, which `scripts/test` makes of the commit and prints.
    package static let firstSeed = environment["FERRY_SEED"].flatMap { UInt64($0) } ?? 0

    /// Returns the number of cases to try.
    ///
    /// - Parameter deep: The number of all cases.
    /// - Returns: All with `FERRY_DEEP=1`, else a tenth, and at least one.
    package static func count(_ deep: Int) -> Int { isDeep ? deep : max(1, deep / 10) }

    /// Returns the seeds to try.
    ///
    /// - Parameter deep: The number of all cases.
    /// - Returns: So many seeds as ``count(_:)`` says, from ``firstSeed`` on.
    package static func seeds(_ deep: Int) -> Range<UInt64> { firstSeed..<firstSeed + UInt64(count(deep)) }

    private static let environment = ProcessInfo.processInfo.environment
}
