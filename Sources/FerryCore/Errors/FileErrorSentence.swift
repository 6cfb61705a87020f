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
