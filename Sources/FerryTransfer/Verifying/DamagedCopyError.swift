import FerryCore
import Foundation

/// The bytes at the target are not those that were sent, and were removed again: it is worth another try.
struct DamagedCopyError: Error {
    let path: ItemPath

    /// The content that the next try may replace: what was not removed, since it may be what was there before.
    var again = Overwriting.nothing

    /// Why the bad copy could not be removed; `nil` if it was.
    var remains: (any Error)?

    /// The error that a caller sees when no try went well.
    var told: CocoaError {
        .file(
            .fileWriteUnknown,
            path: path,
            description: remains == nil
                ? "what has arrived is not what was sent"
                : "what has arrived is not what was sent, and could not be removed",
            suggestion: remains == nil ? "try again" : "remove it, and try again",
            underlying: remains
        )
    }
}

extension CocoaError {
    /// Returns what is in a copy's place is something else, which nobody knows the origin of.
    ///
    /// - Parameters:
    ///   - path: Where.
    ///   - sent: Bytes that were sent.
    ///   - found: The item that is there.
    /// - Returns: An error that no repetition mends.
    static func otherCopy(_ path: ItemPath, sent: Int64?, found: FileObject) -> CocoaError {
        let sizes = sent.flatMap { sent in found.size.map { ": \($0) bytes instead of \(sent)" } } ?? ""
        return .file(
            .fileWriteUnknown,
            path: path,
            description: "what is there is not what was sent\(sizes)",
            suggestion: "look at it, and copy again"
        )
    }
}

/// The source has changed while it was read, so that what was copied of it is of no use: it is worth another try.
struct SourceChangedError: Error {
    let path: ItemPath

    /// The error that a caller sees when no try went well.
    var told: CocoaError {
        .file(
            .fileReadUnknown,
            path: path,
            description: "it changes while it is copied",
            suggestion: "copy it again when nobody writes to it"
        )
    }
}
