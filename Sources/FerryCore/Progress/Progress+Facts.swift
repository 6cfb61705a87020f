package import Foundation
import Synchronization

/// Facts about a progress that one thread may set while another reads them.
///
/// Foundation's `userInfo` on Linux is a dictionary without a lock: to read it while a key is set ends the process now and
/// then. Apple's documentation allows both from any thread. All of our own access goes through here.
extension Progress {
    private static let access = Mutex(())

    /// Returns a fact.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - type: The type of the value.
    /// - Returns: The value; `nil` if there is none of that type.
    package func fact<Value: Sendable>(_ key: ProgressUserInfoKey, as type: Value.Type = Value.self) -> Value? {
        Self.access.withLock { _ in userInfo[key] as? Value }
    }

    /// Sets a fact.
    ///
    /// - Parameters:
    ///   - value: The value; `nil` to remove it.
    ///   - key: The key.
    package func setFact(_ value: (any Sendable)?, forKey key: ProgressUserInfoKey) {
        Self.access.withLock { _ in setUserInfoObject(value, forKey: key) }
    }
}
