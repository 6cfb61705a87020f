import Foundation
import Synchronization

/// Where the work of an operation leaves its result.
final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    /// The result as a completion handler should see it.
    func result(error: (any Error)?) -> Result<Value, any Error> {
        if let error { return .failure(error.forHandlers) }
        return value.withLock { $0 }.map { .success($0) } ?? .failure(CocoaError(.userCancelled))
    }
}

extension Error {
    /// Cancelling has another name where completion handlers are used.
    var forHandlers: any Error {
        self is CancellationError ? CocoaError(.userCancelled) : self
    }
}
