import FerryCore
import Foundation

extension Location {
    /// The storage as one that has an ability.
    ///
    /// - Parameters:
    ///   - type: The ability's protocol.
    ///   - words: The ability's name: `public links`.
    /// - Returns: The storage.
    /// - Throws: `CocoaError.featureUnsupported` where the storage lacks it.
    func ability<Ability>(_ type: Ability.Type, _ words: String) throws -> Ability {
        guard let able = storage as? Ability else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSFilePathErrorKey: text,
                    NSLocalizedFailureReasonErrorKey: "this storage has no \(words)",
                    NSLocalizedRecoverySuggestionErrorKey:
                        isRemote ? "see what it has with 'ferry remote test'" : "use another storage",
                ]
            )
        }
        return able
    }
}
