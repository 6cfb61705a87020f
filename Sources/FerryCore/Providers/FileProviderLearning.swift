/// A storage that finds out by one question what its server can be relied on to do, if nobody has asked yet.
///
/// Reading takes every server as it comes; who has to rely on what it says of an item's version asks first.
package protocol FileProviderLearning: FileProviderBasic {
    /// Asks, once.
    ///
    /// - Throws: Errors of the connection.
    func learnAboutServer() async throws
}
