package import Foundation

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
