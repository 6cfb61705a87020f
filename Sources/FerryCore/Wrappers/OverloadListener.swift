/// Hears that what is sent at once is too much, also where a provider by itself waits and asks again.
///
/// A class, since a closure as a task-local value crashes in optimized programs (Swift 6.3).
package final class OverloadListener: Sendable {
    private let hear: @Sendable () -> Void

    /// Makes one.
    ///
    /// - Parameter hear: Called when a storage has said that it has too much to do (RFC 6585 §4, RFC 9110 §15.6.4).
    package init(_ hear: @escaping @Sendable () -> Void) {
        self.hear = hear
    }

    /// A storage has said that it has too much to do.
    package func heard() { hear() }
}
