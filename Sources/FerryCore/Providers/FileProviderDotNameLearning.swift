/// A storage that can find out whether its listings name items whose names begin with a dot.
package protocol FileProviderDotNameLearning: FileProviderBasic {
    /// Finds it out by making a hidden item and removing it again, once; ``FileProviderCapabilities/listsDotNames`` tells.
    ///
    /// Where nothing can be made nothing is learnt.
    ///
    /// - Throws: Errors of the connection.
    func learnAboutDotNames() async throws
}
