import FerryCore
import Foundation

/// A storage that a person has given a name.
struct Remote: Sendable, Hashable {
    /// What stands before the colon.
    var name: String

    /// How to reach it; never with a secret.
    var configuration: ProviderConfiguration

    /// Whether what is read of it may be kept on this machine.
    var isCached = true
}

extension CocoaError {
    /// There is no remote of that name.
    ///
    /// - Parameters:
    ///   - name: What was asked for.
    ///   - text: What a person wrote, if it is a location.
    /// - Returns: An error that says what to do.
    static func unknownRemote(_ name: String, in text: String? = nil) -> CocoaError {
        .location(
            text ?? name,
            "there is no remote called '\(name)'",
            text.map { "make one with 'ferry remote add', or write './\($0)' for a local file" }
                ?? "see 'ferry remote list'"
        )
    }
}
