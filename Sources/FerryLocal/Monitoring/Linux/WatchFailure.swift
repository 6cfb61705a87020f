#if os(Linux)
import FerryCore
import Foundation

/// Why a tree can't be watched, or no longer.
enum WatchFailure: Error {
    /// The user's watches are used up.
    case tooManyWatches
    /// The user's lists of events are used up, or this process's open files.
    case tooManyInstances
    /// The kernel has dropped events.
    case overflow
    /// The watched item is gone, or somewhere else.
    case gone
    /// The file system with the watched item is no longer mounted.
    case unmounted
    /// Another error of the system.
    case system(Errno)

    /// Makes the failure of an error from adding a watch, or from opening a folder for it.
    init(_ error: Errno) {
        switch error.code {
        case ENOSPC: self = .tooManyWatches
        default: self = .system(error)
        }
    }

    /// The error a caller sees.
    ///
    /// - Parameter path: The watched item.
    /// - Returns: An error that says what to do about it.
    func mapped(_ path: ItemPath) -> any Error {
        switch self {
        case .tooManyWatches:
            CocoaError.file(
                .fileReadUnknown,
                path: path,
                description: "there are more folders to watch than the system allows this user",
                suggestion:
                    "allow more: sysctl fs.inotify.max_user_watches=1048576 (now \(Self.limit("max_user_watches")))",
                underlying: POSIXError(.ENOSPC)
            )
        case .tooManyInstances:
            CocoaError.file(
                .fileReadUnknown,
                path: path,
                description:
                    "more is watched already than the system allows this user, or this process has too many files open",
                suggestion:
                    "allow more: sysctl fs.inotify.max_user_instances=1024 (now \(Self.limit("max_user_instances"))), or ulimit -n",
                underlying: POSIXError(.EMFILE)
            )
        case .gone:
            CocoaError.noSuchItem(path)
        case .unmounted:
            CocoaError.file(
                .fileReadUnknown,
                path: path,
                description: "the disk that holds it was unmounted: it is not watched any more",
                suggestion: "mount it, and watch again"
            )
        case .overflow:
            CocoaError.file(.fileReadUnknown, path: path, description: "changes came faster than they could be told")
        case .system(let error):
            error.mapped(.listing, path)
        }
    }

    /// A limit as the system has it now.
    private static func limit(_ name: String) -> String {
        let text = try? String(contentsOfFile: "/proc/sys/fs/inotify/\(name)", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }
}
#endif
