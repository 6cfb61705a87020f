import Foundation

/// Lends texts to C, as a list that ends with null.
///
/// - Parameters:
///   - texts: The texts.
///   - body: Uses the list.
/// - Returns: The value that `body` returns.
func withCStrings<Result>(
    _ texts: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
