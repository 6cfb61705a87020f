import Foundation
import Synchronization

/// The memory of a program and of all that it has started, looked at while they run.
///
/// It is the sum of the kernel's proportional counts (`Pss`): what several of them share is counted once.
final class TreeMemory: Sendable {
    private struct State {
        var peak: Int64 = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let isDone = DispatchSemaphore(value: 0)

    /// Begins to look, again and again.
    ///
    /// - Parameter process: The first program.
    init(of process: pid_t) {
        Thread.detachNewThread { [self] in
            while !state.withLock({ $0.isOver }) {
                let memory = Self.tree(process).reduce(0) { $0 + Self.memory($1) }
                state.withLock { $0.peak = max($0.peak, memory) }
                usleep(20_000)
            }
            isDone.signal()
        }
    }

    /// Stops.
    ///
    /// - Returns: The most that was seen, in bytes.
    func end() -> Int64 {
        state.withLock { $0.isOver = true }
        isDone.wait()
        return state.withLock { $0.peak }
    }

    /// A process and all below it.
    private static func tree(_ process: pid_t) -> [pid_t] {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        let children = threads.flatMap { thread in
            let text = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
            return (text ?? "").split(separator: " ").compactMap { pid_t($0) }
        }
        return [process] + children.flatMap(tree)
    }

    private static func memory(_ process: pid_t) -> Int64 {
        let text = (try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("Pss:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int64($0) }.map { $0 << 10 } ?? 0
    }
}
