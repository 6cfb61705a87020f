package import Foundation

/// The items as they were seen just before they are changed: a storage at the other end of a line need not be asked
/// again before what is there is kept.
package struct SeenItems: Sendable {
    /// The items, as they were listed.
    package var items: [ItemPath: FileObject]

    /// When they were listed: what somebody has changed after that, nobody has seen.
    package var date: Date

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - date: When they were listed.
    package init(_ items: [FileObject], date: Date) {
        self.items = Dictionary(items.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        self.date = date
    }

    /// The items that are known to the code that runs in ``with(_:_:)``.
    @TaskLocal static var current: SeenItems?

    /// Does something while it is known what is there.
    ///
    /// - Parameters:
    ///   - seen: The known items; `nil` if there are none.
    ///   - body: Does it.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    package static func with<Result>(_ seen: SeenItems?, _ body: () async throws -> Result) async rethrows -> Result {
        guard let seen else { return try await body() }
        return try await $current.withValue(seen) { try await body() }
    }
}
