package import Foundation

/// What whoever is about to change items has seen of them just now: a storage at the other end of a line need not be
/// asked again before what is there is kept.
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

    /// What is known to what runs in ``with(_:_:)``.
    @TaskLocal static var current: SeenItems?

    /// Does something while it is known what is there.
    ///
    /// - Parameters:
    ///   - seen: What is known; `nil` if nothing is.
    ///   - body: Does it.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    package static func with<Result>(_ seen: SeenItems?, _ body: () async throws -> Result) async rethrows -> Result {
        guard let seen else { return try await body() }
        return try await $current.withValue(seen) { try await body() }
    }
}
