public import Foundation
import Synchronization

extension ProgressUserInfoKey {
    /// The date at which the work began, a `Date`.
    public static let startTimeKey = ProgressUserInfoKey("FerryProgressStartTime")

    /// The operation that is under way, a ``FileOperationType``.
    public static let operationTypeKey = ProgressUserInfoKey("FerryProgressOperationType")
}

extension Progress {
    /// Makes a progress of our own kind: of files, with operation and start time set.
    ///
    /// - Parameters:
    ///   - operation: The operation that is under way.
    ///   - total: Units in all; -1 if not known yet.
    /// - Returns: A progress without a parent.
    public static func ferry(_ operation: FileOperationType, total: Int64 = -1) -> Progress {
        let progress = Progress(totalUnitCount: total)
        progress.kind = .file
        progress.setFact(operation.progressKind, forKey: .fileOperationKindKey)
        progress.setFact(operation, forKey: .operationTypeKey)
        progress.setFact(Date(), forKey: .startTimeKey)
        return progress
    }

    /// Sets the kind of the work and the time of its beginning, unless they are set.
    ///
    /// Work that counts on a progress of the caller's own calls it before it counts, so that speed and time left are known.
    ///
    /// - Parameter now: The time.
    public func beginFileWork(at now: Date = Date()) {
        guard startTime == nil else { return }
        if kind == nil { kind = .file }
        setFact(now, forKey: .startTimeKey)
    }

    /// The operation that is under way, if one of our methods made the progress.
    public var operationType: FileOperationType? { fact(.operationTypeKey) }

    /// The date at which the work began.
    public var startTime: Date? { fact(.startTimeKey) }

    /// Units a second since the start; `nil` before anything is done.
    ///
    /// It works for a `Progress` that a caller made and gave to a method (`reporting:`) as for one that a method returned.
    ///
    /// - Parameter now: The time to count to.
    /// - Returns: A positive number, or `nil`.
    public func speed(at now: Date = Date()) -> Double? {
        guard let startTime, completedUnitCount > 0 else { return nil }
        let seconds = now.timeIntervalSince(startTime)
        return seconds > 0 ? Double(completedUnitCount) / seconds : nil
    }

    /// The time until the end if it goes on like this; `nil` if total or speed are unknown.
    ///
    /// - Parameter now: The time to count from.
    /// - Returns: Zero or more, or `nil`.
    public func timeLeft(at now: Date = Date()) -> Duration? {
        guard totalUnitCount >= completedUnitCount, let speed = speed(at: now) else { return nil }
        return .seconds(Double(totalUnitCount - completedUnitCount) / speed)
    }

    /// More bytes are to come: the total is what is done already and these.
    ///
    /// - Parameter bytes: Bytes of the transfer that begins, at least 0; `nil` if that is not known.
    package func announceTransfer(of bytes: Int64?) {
        beginFileWork()
        guard let bytes else { return }
        totalUnitCount = max(totalUnitCount, completedUnitCount + bytes)
    }

    /// The work has ended well: shows the end, whatever was known of the total.
    package func finish() {
        // Of no units at all, a progress is never finished.
        let total = max(totalUnitCount, completedUnitCount, self is any CountedProgress ? 0 : 1)
        totalUnitCount = total
        completedUnitCount = total
    }
}

/// A progress whose units are added to those of others: each of them is a real one.
package protocol CountedProgress: Progress {
    /// So many units are done, and were so before: they are progress, and nobody's work.
    func skip(_ units: Int64)

    /// So many files are in what is one item for others, and so many of them are done.
    func count(files: Int, done: Int)
}

extension Progress? {
    /// Ends the work if the task or the progress was cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func checkCancellation() throws {
        try Task.checkCancellation()
        if self?.isCancelled == true { throw CancellationError() }
    }
}

/// Facts about a progress that one thread may set while another reads them.
///
/// Foundation's `userInfo` on Linux is a dictionary without a lock: to read it while a key is set ends the process now
/// and then. Apple's documentation allows both from any thread. All of our own access goes through here.
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
