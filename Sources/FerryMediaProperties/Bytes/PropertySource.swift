/// The source of a file's bytes.
package protocol PropertySource {
    /// The size of the file in bytes.
    var size: Int64 { get }

    /// Reads some.
    ///
    /// - Parameters:
    ///   - offset: Where the first is; at most the size.
    ///   - count: How many.
    /// - Returns: As many as asked, fewer only where the file ends.
    /// - Throws: Whatever keeps it from being read.
    func read(at offset: Int64, count: Int) throws -> [UInt8]
}
