package import FerryCore

extension PartialWrite {
    /// Works on the upload session behind a write.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: `PartialWriteLostError` if the storage no longer knows the session; else the error of `body`.
    package func reportingLoss<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as UploadSessionLostError {
            throw PartialWriteLostError(path: path, underlying: error.underlying)
        }
    }
}
