public import Dispatch
public import Foundation
public import Logging
import Synchronization

/// A provider's surroundings: where its operations run, whom it notifies, where it logs.
///
/// Wrappers share the environment of what they wrap.
public final class FileProviderEnvironment: Sendable {
    private struct State {
        weak var delegate: (any FileProviderDelegate)?
        weak var fileOperationDelegate: (any FileOperationDelegate)?
        var registrations: [ItemPath: Task<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Runs the operations that the completion-handler forms make; suspend it, or limit it, as you like.
    public let operationQueue: OperationQueue

    /// The serial queue on which completion handlers, other callbacks and delegates are called: the main queue on Apple's
    /// systems, a queue of the environment's own on others, unless another was given.
    public let callbackQueue: DispatchQueue

    /// The logger to which the provider says what it does, at `debug` and `trace`; secrets are never logged.
    public let logger: Logger

    /// The questions to servers that have no answer yet; `nil` if nobody is told of them.
    package let waits: WaitWatch?

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - callbackQueue: A *serial* queue for handlers and delegates; `nil` for the main queue on Apple's systems and a
    ///     queue of its own on others, where programs without a run loop never look at the main queue.
    ///   - maximumOperationTasks: How many operations run at the same time, at least 1.
    ///   - logger: Where to log; by default a logger that drops everything.
    public convenience init(
        callbackQueue: DispatchQueue? = nil,
        maximumOperationTasks: Int = 4,
        logger: Logger? = nil
    ) {
        self.init(
            callbackQueue: callbackQueue,
            maximumOperationTasks: maximumOperationTasks,
            logger: logger,
            waits: nil
        )
    }

    /// Makes an environment.
    ///
    /// - Parameters:
    ///   - callbackQueue: A *serial* queue for handlers and delegates; by default a private one.
    ///   - maximumOperationTasks: The number of operations that run at the same time, at least 1.
    ///   - logger: The logger; by default one that drops everything.
    ///   - waits: The watch that notes questions to servers.
    package init(
        callbackQueue: DispatchQueue? = nil,
        maximumOperationTasks: Int = 4,
        logger: Logger?,
        waits: WaitWatch?
    ) {
        self.waits = waits
        self.operationQueue = OperationQueue()
        self.operationQueue.name = "ferry.operations"
        self.operationQueue.maxConcurrentOperationCount = max(1, maximumOperationTasks)
        self.callbackQueue = callbackQueue ?? Self.standardCallbackQueue
        self.logger = logger ?? Logger(label: "ferry", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// The number of operations of the completion-handler forms that run at the same time.
    public var maximumOperationTasks: Int {
        get { operationQueue.maxConcurrentOperationCount }
        set { operationQueue.maxConcurrentOperationCount = max(1, newValue) }
    }

    /// Is told when operations of the completion-handler forms proceed and end; held weakly.
    public var delegate: (any FileProviderDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// Is asked before each item of an operation of the completion-handler forms; held weakly.
    public var fileOperationDelegate: (any FileOperationDelegate)? {
        get { state.withLock { $0.fileOperationDelegate } }
        set { state.withLock { $0.fileOperationDelegate = newValue } }
    }

    /// Remembers the task that watches a path for a handler, and ends the one before it.
    func register(_ task: Task<Void, Never>?, for path: ItemPath) {
        let previous = state.withLock { $0.registrations.updateValue(task, forKey: path) }
        previous?.cancel()
    }

    /// Returns whether a handler watches exactly this path.
    func isRegistered(_ path: ItemPath) -> Bool {
        state.withLock { $0.registrations[path] != nil }
    }

    deinit {
        for task in state.withLock({ $0.registrations.values }) { task.cancel() }
    }
}

extension FileProviderEnvironment {
    private static var standardCallbackQueue: DispatchQueue {
        #if canImport(Darwin)
        .main
        #else
        DispatchQueue(label: "ferry.callbacks")
        #endif
    }
}

extension Dictionary {
    /// Replaces or, for `nil`, removes a value; gives what was there before.
    fileprivate mutating func updateValue(_ value: Value?, forKey key: Key) -> Value? {
        guard let value else { return removeValue(forKey: key) }
        return updateValue(value, forKey: key)
    }
}

// The environment's queues and delegates, by the names under which they are looked for on a provider. A wrapper shares
// them with what it wraps.
extension FileProviderBasic {
    /// The delegate that learns how the operations of the completion-handler forms proceed and end; held weakly.
    ///
    /// It is called on ``FileProviderEnvironment/callbackQueue``.
    public var delegate: (any FileProviderDelegate)? {
        get { environment.delegate }
        nonmutating set { environment.delegate = newValue }
    }

    /// The delegate that is asked before each item of an operation of the completion-handler forms; held weakly.
    ///
    /// It is called on ``FileProviderEnvironment/callbackQueue``, and the operation waits for its answer.
    public var fileOperationDelegate: (any FileOperationDelegate)? {
        get { environment.fileOperationDelegate }
        nonmutating set { environment.fileOperationDelegate = newValue }
    }

    /// The queue that runs the operations of the completion-handler forms; suspend it, or limit it, as needed.
    public var operationQueue: OperationQueue { environment.operationQueue }

    /// The serial queue on which completion handlers and delegates are called.
    public var callbackQueue: DispatchQueue { environment.callbackQueue }

    /// The number of operations of the completion-handler forms that run at the same time, at least 1.
    public var maximumOperationTasks: Int {
        get { environment.maximumOperationTasks }
        nonmutating set { environment.maximumOperationTasks = newValue }
    }
}
