#if canImport(Darwin)
public import Foundation

extension FileQuery {
    /// Makes the query of a predicate; Foundation on Linux can't tell what is in one.
    ///
    /// - Parameter predicate: A predicate of comparisons with a key on one side, joined by `AND`, `OR` and `NOT`.
    /// - Throws: `CocoaError.formatting` when it has something else in it, such as a block.
    public init(_ predicate: NSPredicate) throws {
        try self.init(parsing: predicate.predicateFormat)
    }
}
#endif
