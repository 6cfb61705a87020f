public import Dispatch
public import Foundation

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
