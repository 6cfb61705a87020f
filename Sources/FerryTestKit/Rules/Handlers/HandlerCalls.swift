import Dispatch
import FerryCore
import Foundation
import Synchronization

/// The values that a completion handler got.
struct Ending: Sendable {
    /// Indicates whether there was a value; for handlers that get none, whether there was no error.
    let hasValue: Bool
    let error: (any Error)?

    init(_ error: (any Error)?) {
        self.hasValue = error == nil
        self.error = error
    }

    init<Value>(_ value: Value?, _ error: (any Error)?) {
        self.hasValue = value != nil
        self.error = error
    }
}

/// Counts the calls of handlers and delegates, and looks where they come.
final class HandlerCalls<Value: Sendable>: Sendable {
    private let queue: MarkedQueue
    private let first = Race<Value>()
    private let state = Mutex((values: [Value](), strays: 0))

    init(on queue: MarkedQueue) {
        self.queue = queue
    }

    func note(_ value: Value) {
        let isStray = !queue.isCurrent
        state.withLock { state in
            state.values.append(value)
            if isStray { state.strays += 1 }
        }
        first.end(with: .success(value))
    }

    /// The value of the first call, when it comes.
    func firstValue(within timeout: Duration) async throws -> Value {
        try await withDeadline(timeout) { try await self.first.result() }
    }

    var values: [Value] { state.withLock { $0.values } }

    /// How many calls came elsewhere than on the promised queue.
    var strays: Int { state.withLock { $0.strays } }
}

/// A dispatch queue that can be recognised from inside.
struct MarkedQueue: Sendable {
    private static let key = DispatchSpecificKey<ObjectIdentifier>()
    let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: Self.key, value: ObjectIdentifier(queue))
    }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(queue) }

    /// Waits until everything that is on the queue now has been done.
    func drain() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }
}

extension Trial {
    /// Calls a completion-handler form, and notes a failure unless its handler is called exactly once, on its queue.
    @discardableResult
    func handled(
        _ what: String,
        filePath: String = #filePath,
        line: Int = #line,
        _ start: (@escaping @Sendable (Ending) -> Void) throws -> Progress
    ) async throws -> (ending: Ending, progress: Progress) {
        let queue = MarkedQueue(provider.environment.callbackQueue)
        let calls = HandlerCalls<Ending>(on: queue)
        let progress = try start { calls.note($0) }
        let ending: Ending
        do {
            ending = try await calls.firstValue(within: timeout)
        } catch is DeadlinePassed {
            fail("the handler of \(what) is never called", filePath: filePath, line: line)
            throw TrialEnded()
        }
        try await drainOperations()
        await queue.drain()
        expectEqual(
            calls.values.count,
            1,
            "calls of the handler of \(what)",
            filePath: filePath,
            line: line
        )
        expectEqual(
            calls.strays,
            0,
            "calls of the handler of \(what) on another queue",
            filePath: filePath,
            line: line
        )
        return (ending, progress)
    }

    /// Waits until no operation of the provider is under way.
    func drainOperations() async throws {
        let queue = provider.environment.operationQueue
        try await withDeadline(timeout) {
            await withCheckedContinuation { continuation in
                queue.addBarrierBlock { continuation.resume() }
            }
        }
    }

    /// Notes a failure unless a handler got a Cocoa error of this code.
    func expect(
        _ ending: Ending,
        failedWith code: CocoaError.Code,
        filePath: String = #filePath,
        line: Int = #line
    ) {
        expectEqual(
            (ending.error as? CocoaError)?.code.rawValue,
            code.rawValue,
            "the code of the handler's error (\(ending.error.map { "\($0)" } ?? "none"))",
            filePath: filePath,
            line: line
        )
    }
}

/// Remembers what delegates are told and asked, and answers as it was made to.
final class RecordingDelegate: FileProviderDelegate, FileOperationDelegate {
    enum Event: Sendable {
        case asked(FileOperationType)
        case askedAfterError(FileOperationType)
        case proceeded(FileOperationType, Double)
        case succeeded(FileOperationType)
        case failed(FileOperationType, any Error)
        case handled
    }

    private let calls: HandlerCalls<Event>
    private let allows: @Sendable (FileOperationType) -> Bool
    private let goesOn: Bool

    init(
        on queue: MarkedQueue,
        goesOn: Bool = true,
        allows: @escaping @Sendable (FileOperationType) -> Bool = { _ in true }
    ) {
        self.calls = HandlerCalls(on: queue)
        self.goesOn = goesOn
        self.allows = allows
    }

    var events: [Event] { calls.values }
    var strays: Int { calls.strays }

    /// The operations that it was asked about, in order.
    var asked: [FileOperationType] {
        events.compactMap { if case .asked(let operation) = $0 { operation } else { nil } }
    }

    func noteHandler() { calls.note(.handled) }

    func fileProvider(_ provider: any FileProviderBasic, didSucceed operation: FileOperationType) {
        calls.note(.succeeded(operation))
    }

    func fileProvider(_ provider: any FileProviderBasic, didFail operation: FileOperationType, error: any Error) {
        calls.note(.failed(operation, error))
    }

    func fileProvider(_ provider: any FileProviderBasic, operation: FileOperationType, progress: Double) {
        calls.note(.proceeded(operation, progress))
    }

    func fileProvider(_ provider: any FileProviderBasic, shouldOperate operation: FileOperationType) -> Bool {
        calls.note(.asked(operation))
        return allows(operation)
    }

    func fileProvider(
        _ provider: any FileProviderBasic,
        shouldProceedAfterError error: any Error,
        operation: FileOperationType
    ) -> Bool {
        calls.note(.askedAfterError(operation))
        return goesOn
    }
}
