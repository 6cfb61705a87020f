public import Foundation

/// The errors of every provider are made here, so that the same situation reads the same everywhere.
///
/// Each carries the path (`NSFilePathErrorKey`), a whole sentence that names the item (`NSLocalizedDescriptionKey`, which
/// is the `localizedDescription`), the same in a few words without the item (`NSLocalizedFailureReasonErrorKey`), what to do
/// about it where that is known (`NSLocalizedRecoverySuggestionErrorKey`), and the cause (`NSUnderlyingErrorKey`).
extension CocoaError {
    /// Makes an error about one item.
    ///
    /// - Parameters:
    ///   - code: The situation, as in the table of errors.
    ///   - path: The item concerned.
    ///   - description: The words that say what happened, without the item; a default for the code when `nil`.
    ///   - suggestion: Advice on how to solve the problem, if any is known beyond the default.
    ///   - url: The item's URL, if the provider knows one; it must not hold a secret.
    ///   - underlying: The storage's own error.
    /// - Returns: An error whose `userInfo` holds all that was given.
    public static func file(
        _ code: CocoaError.Code,
        path: ItemPath,
        description: String? = nil,
        suggestion: String? = nil,
        url: URL? = nil,
        underlying: (any Error)? = nil
    ) -> CocoaError {
        var info: [String: Any] = [NSFilePathErrorKey: path.string]
        let words = FileErrorWords(code)
        let reason = description ?? words.description
        info[NSLocalizedFailureReasonErrorKey] = reason
        info[NSLocalizedDescriptionKey] = FileErrorSentence(code, path: path.string, reason: reason).text
        info[NSLocalizedRecoverySuggestionErrorKey] = suggestion ?? words.suggestion
        info[NSURLErrorKey] = url
        info[NSUnderlyingErrorKey] = underlying
        return CocoaError(code, userInfo: info)
    }

    /// The path is not one: it climbs out of the root, or holds a NUL.
    package static func invalidPath(_ text: String) -> CocoaError {
        CocoaError(
            .fileReadInvalidFileName,
            userInfo: [
                NSFilePathErrorKey: text,
                NSLocalizedDescriptionKey: "“\(text)” is not a valid path.",
                NSLocalizedFailureReasonErrorKey: "not a valid path",
                NSLocalizedRecoverySuggestionErrorKey: "'..' can't lead above the top of a storage",
            ]
        )
    }

    /// There is no such item.
    public static func noSuchItem(_ path: ItemPath, underlying: (any Error)? = nil) -> CocoaError {
        .file(.fileNoSuchFile, path: path, underlying: underlying)
    }

    /// The item exists, and is not to be replaced.
    public static func itemExists(_ path: ItemPath, underlying: (any Error)? = nil) -> CocoaError {
        .file(.fileWriteFileExists, path: path, underlying: underlying)
    }

    /// A file stands where a folder is needed: to list it, or to put something into it.
    public static func notAFolder(_ path: ItemPath, whileWriting: Bool = false) -> CocoaError {
        .file(
            whileWriting ? .fileWriteUnknown : .fileReadUnknown,
            path: path,
            description: "not a folder",
            suggestion: "name the folder that holds it",
            underlying: POSIXError(.ENOTDIR)
        )
    }

    /// A folder stands where a file is needed: a folder has no contents to read.
    public static func isAFolder(_ path: ItemPath) -> CocoaError {
        .file(
            .fileReadUnknown,
            path: path,
            description: "is a folder",
            suggestion: "name a file in it",
            underlying: POSIXError(.EISDIR)
        )
    }

    /// Something else stands where a symbolic link is needed.
    public static func notALink(_ path: ItemPath) -> CocoaError {
        .file(
            .fileReadUnknown,
            path: path,
            description: "not a symbolic link",
            underlying: POSIXError(.EINVAL)
        )
    }

    /// The copy or move would put a folder into itself.
    public static func intoItself(_ path: ItemPath, target: ItemPath) -> CocoaError {
        .file(
            .fileWriteInvalidFileName,
            path: target,
            description: "a folder can't be put into itself",
            suggestion: "choose a target outside of \(path)",
            underlying: POSIXError(.EINVAL)
        )
    }

    /// Source and target are the same item; whatever `overwrite` says, nothing is done.
    public static func sameItem(_ path: ItemPath) -> CocoaError {
        .file(.fileWriteFileExists, path: path, description: "source and target are the same item")
    }

    /// This storage has no such ability.
    ///
    /// - Parameters:
    ///   - ability: The missing ability, as a sentence begins with it: `locking`, `symbolic links`.
    ///   - path: The item.
    ///   - isPlural: `true` if the ability is a plural.
    /// - Returns: An error that says so.
    public static func unsupported(_ ability: String, path: ItemPath, isPlural: Bool = false) -> CocoaError {
        .file(.featureUnsupported, path: path, description: "\(ability) \(isPlural ? "are" : "is") not possible here")
    }
}

/// The name of each situation, and advice about it, where no one knows better.
private struct FileErrorWords {
    let description: String
    let suggestion: String?

    init(_ code: CocoaError.Code) {
        (description, suggestion) =
            switch code {
            case .fileNoSuchFile, .fileReadNoSuchFile:
                ("no such file or folder", "check the name, or list the folder it should be in")
            case .fileWriteFileExists: ("already exists", "choose another name, or allow overwriting")
            case .fileReadNoPermission: ("you are not allowed to read it", "check its permissions")
            case .fileWriteNoPermission: ("you are not allowed to change it", "check its permissions and its folder's")
            case .fileWriteOutOfSpace: ("the storage is full", "make room and try again")
            case .fileWriteVolumeReadOnly: ("the storage is read-only", "choose another target")
            case .fileWriteInvalidFileName, .fileReadInvalidFileName:
                ("the name is not valid here", "choose another name")
            case .featureUnsupported: ("this storage can't do that", nil)
            case .userCancelled: ("cancelled", nil)
            case .fileReadUnknown: ("could not be read", nil)
            case .fileWriteUnknown: ("could not be written", nil)
            default: (CocoaError(code).localizedDescription, nil)
            }
    }
}

extension CocoaError {
    /// Makes an error about a text that a person wrote: a location, a name, an option.
    ///
    /// - Parameters:
    ///   - text: The text, without any secret.
    ///   - description: The reason in a few words.
    ///   - suggestion: The way out.
    /// - Returns: An error with the code `fileReadInvalidFileName`.
    package static func location(_ text: String, _ description: String, _ suggestion: String) -> CocoaError {
        CocoaError(
            .fileReadInvalidFileName,
            userInfo: [
                NSFilePathErrorKey: text,
                NSLocalizedDescriptionKey: "“\(text)” can't be used: \(description).",
                NSLocalizedFailureReasonErrorKey: description,
                NSLocalizedRecoverySuggestionErrorKey: suggestion,
            ]
        )
    }
}
