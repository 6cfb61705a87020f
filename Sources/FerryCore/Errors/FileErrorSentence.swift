import Foundation

/// The sentence that says what happened to which item: the `localizedDescription` of an error.
struct FileErrorSentence {
    /// A whole sentence, such as “/a.txt” could not be found: no such file or folder.
    let text: String

    /// Makes a sentence.
    ///
    /// - Parameters:
    ///   - code: The situation.
    ///   - path: The item.
    ///   - reason: The words that say what happened, without the item.
    init(_ code: CocoaError.Code, path: String, reason: String) {
        let failure: String? =
            switch code {
            case .fileNoSuchFile, .fileReadNoSuchFile: "could not be found"
            case .fileWriteFileExists where reason.hasPrefix("already exists"): nil
            case .fileReadNoPermission, .fileReadUnknown, .fileReadCorruptFile, .fileReadTooLarge,
                .fileReadInvalidFileName:
                "could not be read"
            case .fileWriteNoPermission, .fileWriteUnknown, .fileWriteFileExists, .fileWriteOutOfSpace,
                .fileWriteVolumeReadOnly, .fileWriteInvalidFileName:
                "could not be changed"
            default: "could not be used"
            }
        let item = "“\(path)”"
        let isSaidAlready = failure.map { reason == $0 || reason.hasPrefix("could not be ") } ?? true
        let words = isSaidAlready ? "\(item) \(reason)" : "\(item) \(failure ?? ""): \(reason)"
        text = words.hasSuffix(".") ? words : words + "."
    }
}

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
