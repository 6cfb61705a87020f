import FerryCore
import Foundation

/// The errors of actions that a transfer refuses to do.
enum TransferRefusal {
    /// The error of a refusal.
    ///
    /// - Parameters:
    ///   - action: The refusal.
    ///   - target: Where it would have been done.
    /// - Returns: An error that says why, and what to do.
    static func error(_ action: TransferAction, in target: TransferPlace) -> CocoaError {
        let path = target.path(action.path)
        return switch action.reason {
        case .otherType:
            .file(
                .fileWriteFileExists,
                path: path,
                // One of the two is a folder.
                description: action.target?.isDirectory ?? (action.source?.isDirectory == false)
                    ? "a folder is where a file should go" : "a file is where a folder should go",
                suggestion: "remove or rename it"
            )
        case .exists: .itemExists(path)
        case .special: .unsupported("copying what is neither file, folder nor link", path: path)
        case .invalidName:
            .file(
                .fileWriteInvalidFileName,
                path: path,
                description: "the target can't have such a name",
                suggestion: "rename it"
            )
        case .loop: .file(.fileReadUnknown, path: path, description: "the folder contains itself")
        case .nameClash:
            .file(
                .fileWriteFileExists,
                path: path,
                description: "another item's name is the same for the target, which can't have both",
                suggestion: "rename one of them"
            )
        case .tooMany:
            .file(
                .fileWriteNoPermission,
                path: path,
                description: "nothing is removed: \(action.note ?? "more would be than is allowed")",
                suggestion: "look at what would be removed, then allow more"
            )
        case .incomplete:
            .file(
                .fileWriteUnknown,
                path: path,
                description: "not removed: a folder could not be listed, so nobody knows what is missing",
                suggestion: "see to that folder first"
            )
        default: .file(.fileWriteUnknown, path: path)
        }
    }
}
