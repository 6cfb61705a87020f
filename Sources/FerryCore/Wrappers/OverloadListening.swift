/// Lets whoever sends much at once hear that it is too much, also where a provider by itself waits and asks again.
package enum OverloadListening {
    /// Called when a storage has said that it has too much to do (RFC 6585 §4, RFC 9110 §15.6.4), within a task that
    /// was begun under it.
    @TaskLocal package static var heard: (@Sendable () -> Void)?
}
