import Dispatch
package import Foundation

extension FileProviderBasic {
    /// Runs work as an operation on our queue: every completion-handler form comes through here.
    ///
    /// The file operation delegate is asked first; delegate and handler are called on the callback queue, the handler
    /// exactly once and last.
    ///
    /// - Parameters:
    ///   - operation: The operation; `nil` for questions, which delegates don't hear of.
    ///   - completion: Gets the result; cancelling is `CocoaError.userCancelled`.
    ///   - work: The work.
    /// - Returns: The progress, whose cancelling stops the work.
    package func start<Result: Sendable>(
        _ operation: FileOperationType?,
        completion: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void,
        work: @escaping @Sendable (Progress) async throws -> Result
    ) -> Progress {
        let type = operation ?? .fetch(path: .root)
        let progress = Progress.ferry(type)
        let outcome = Outcome<Result>()
        let queue = environment.callbackQueue
        let fileOperation = FileOperation(type, progress: progress) { error in
            if error == nil { progress.finish() }
            let result = outcome.result(error: error)
            queue.async {
                if let operation { self.tellDelegate(operation, result: result) }
                completion(result)
            }
        } work: { progress in
            let reporter = operation.flatMap { self.reportProgress(of: $0, progress) }
            defer { reporter?.cancel() }
            if let operation, !operation.walksOverTrees, let judge = OperationJudge(self) {
                guard await judge.shouldOperate(operation) else { throw CancellationError() }
            }
            outcome.set(try await work(progress))
        }
        environment.operationQueue.addOperation(fileOperation)
        return progress
    }

    private func tellDelegate<Result>(_ operation: FileOperationType, result: Swift.Result<Result, any Error>) {
        guard let delegate = environment.delegate else { return }
        switch result {
        case .success:
            delegate.fileProvider(self, operation: operation, progress: 1)
            delegate.fileProvider(self, didSucceed: operation)
        case .failure(let error):
            delegate.fileProvider(self, didFail: operation, error: error)
        }
    }

    /// Looks at the progress ten times a second for the delegate, since Foundation on Linux can't observe it.
    private func reportProgress(of operation: FileOperationType, _ progress: Progress) -> Task<Void, Never>? {
        guard environment.delegate != nil else { return nil }
        return Task { [environment] in
            var last = 0.0
            while (try? await Task.sleep(for: .milliseconds(100))) != nil {
                let fraction = min(progress.fractionCompleted, 1)
                guard progress.totalUnitCount > 0, fraction > last, fraction < 1 else { continue }
                last = fraction
                environment.callbackQueue.async { [fraction] in
                    environment.delegate?.fileProvider(self, operation: operation, progress: fraction)
                }
            }
        }
    }
}

extension FileOperationType {
    /// Indicates whether the delegate is asked item by item instead of once.
    fileprivate var walksOverTrees: Bool {
        switch self {
        case .copy(.item, .item), .move, .remove: true
        case .copy, .create, .modify, .link, .fetch: false
        }
    }
}
