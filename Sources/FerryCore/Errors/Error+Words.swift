import Foundation

extension Error {
    /// The words that say what happened, without the item: for a line that names the item itself.
    ///
    /// They are the failure reason that errors of this package carry beside their `localizedDescription`, else the
    /// description.
    package var reasonInWords: String {
        switch self {
        case let error as CocoaError: error.userInfo.reasonInWords ?? localizedDescription
        case let error as URLError: error.userInfo.reasonInWords ?? localizedDescription
        case let error as any LocalizedError: error.failureReason ?? localizedDescription
        default: localizedDescription
        }
    }
}

extension [String: Any] {
    /// The words that an error's `userInfo` has for what happened, without the item; `nil` if it has none.
    package var reasonInWords: String? {
        (self[NSLocalizedFailureReasonErrorKey] ?? self[NSLocalizedDescriptionKey]) as? String
    }
}
