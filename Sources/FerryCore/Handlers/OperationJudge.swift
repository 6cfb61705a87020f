import Dispatch
import Foundation

/// Asks the file operation delegate, on the callback queue, and waits for its answer.
struct OperationJudge: Sendable {
    let provider: any FileProviderBasic
    private let delegate: any FileOperationDelegate
    private let queue: DispatchQueue

    /// `nil` if there is nobody to ask.
    init?(_ provider: any FileProviderBasic) {
        guard let delegate = provider.environment.fileOperationDelegate else { return nil }
        self.provider = provider
        self.delegate = delegate
        self.queue = provider.environment.callbackQueue
    }

    func shouldOperate(_ operation: FileOperationType) async -> Bool {
        await ask { $0.fileProvider(provider, shouldOperate: operation) }
    }

    /// Does one item; an error is thrown on only if the delegate says so.
    ///
    /// - Returns: `true` if the item was done.
    func perform(_ operation: FileOperationType, _ body: () async throws -> Void) async throws -> Bool {
        do {
            try Task.checkCancellation()
            try await body()
            return true
        } catch let error as CancellationError {
            throw error
        } catch {
            let goesOn = await ask {
                $0.fileProvider(provider, shouldProceedAfterError: error, operation: operation)
            }
            guard goesOn else { throw error }
            return false
        }
    }

    private func ask(_ question: @escaping @Sendable (any FileOperationDelegate) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: question(delegate)) }
        }
    }
}
