/// A storage that finds out by one question what its server can be relied on to do, if nobody has asked yet.
///
/// Reading takes every server as it comes; who has to rely on what it says of an item's version asks first.
package protocol FileProviderLearning: FileProviderBasic {
    /// Asks, once.
    ///
    /// - Throws: Errors of the connection.
    func learnAboutServer() async throws

    /// Finds out whether listings name items whose names begin with a dot, by making a hidden item and removing it again,
    /// once; ``FileProviderCapabilities/listsDotNames`` says it then.
    ///
    /// Where nothing can be made, nothing is learnt; the default does nothing.
    ///
    /// - Throws: Errors of the connection.
    func learnAboutDotNames() async throws
}

extension FileProviderLearning {
    /// Does nothing.
    package func learnAboutDotNames() async throws {}
}

extension FileProviderBasic {
    /// The storage, if it is such a one; wrappers of other packages can't pass on what only this package knows.
    package var learning: (any FileProviderLearning)? {
        self as? any FileProviderLearning ?? (self as? any FileProviderWrapper)?.base.learning
    }

    /// Asks a storage what its server can be relied on to do, if nobody has asked yet, and there is something to ask.
    ///
    /// - Returns: `true` if it is such a storage.
    /// - Throws: Errors of the connection.
    @discardableResult
    package func learnIfNeeded() async throws -> Bool {
        guard let learning else { return false }
        try await learning.learnAboutServer()
        return true
    }

    /// Returns an item as the server describes it once it is known, if the file has just changed.
    ///
    /// The versions of some servers are a proof at once, those of others only when the file is some seconds old.
    ///
    /// - Parameter item: The item.
    /// - Returns: The item; looked at again if it is that fresh.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` if it is gone by now.
    package func withProvenVersion(_ item: FileObject) async throws -> FileObject {
        guard item.isFresh, try await learnIfNeeded() else { return item }
        return try await attributesOfItem(path: item.path)
    }
}
