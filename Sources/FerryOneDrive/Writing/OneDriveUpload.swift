import FerryHTTP

/// The limits of uploads, as Microsoft documents them.
///
/// See <https://learn.microsoft.com/graph/api/driveitem-createuploadsession>.
enum OneDriveUpload {
    /// Bytes that a file can have.
    static let largestFile: Int64 = 250 << 30

    /// Bytes that are sent with one request, without a session, at most; the service takes 250 MB.
    static let largestRequest: Int64 = 4 << 20

    /// Bytes that every fragment but the last is a multiple of.
    static let alignment: Int64 = 320 << 10

    /// Returns the sizes of fragments; one follows the other.
    ///
    /// - Parameter isStream: A Boolean value that indicates whether each fragment is held in memory.
    /// - Returns: Fragments of 10 MiB; larger ones on a quick line, where they are read from a file.
    static func limits(isStream: Bool) -> UploadPieceLimits {
        UploadPieceLimits(
            minimumSize: alignment,
            maximumSize: isStream ? 32 * alignment : 160 * alignment,
            firstSize: 32 * alignment,
            multiple: alignment,
            maximumCount: 1_000_000,
            parallelism: 1,
            targetDuration: isStream ? nil : .seconds(10)
        )
    }
}
