/// A storage that works out checksums of its files where they are, when it is asked: no content is transferred.
///
/// Checksums that a storage tells with its listings are in ``FileObject/extras``, and their kinds in
/// ``FileProviderCapabilities/checksumKinds``.
public protocol FileProviderChecksums: FileProviderBasic {
    /// The checksum of a file.
    ///
    /// - Parameters:
    ///   - kind: Which one; SHA-256, SHA-1 and MD5 are the usual ones.
    ///   - path: The file; a symbolic link is followed.
    /// - Returns: Lower-case hexadecimal; `nil` where the storage can't work out one of that kind.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.isAFolder(_:)`; errors of the connection.
    func checksum(_ kind: ChecksumKind, path: ItemPath) async throws -> String?
}
