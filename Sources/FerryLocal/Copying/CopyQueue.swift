import Foundation

/// Portions of a tree's files, waiting for a thread that copies them.
///
/// The thread that walks the tree puts portions in, helpers take them out. A full queue is the walker's sign to copy a
/// portion itself; so the work gets done even if no helper ever comes, and memory stays bounded.
final class CopyQueue: @unchecked Sendable {  // all state is used under the condition's lock
    /// Some files of one folder.
    struct Portion: Sendable {
        let folder: CopiedFolder
        let pair: CopiedFolder.Pair
        let names: RawNames
    }

    private static let mostWaiting = 8

    private let condition = NSCondition()
    private var waiting: [Portion] = []
    private var isClosed = false
    private var helpers = 0

    /// Puts a portion in.
    ///
    /// - Returns: `false` if the queue is full.
    func add(_ portion: Portion) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        if helpers == 0 || waiting.count >= Self.mostWaiting { return false }
        waiting.append(portion)
        condition.signal()
        return true
    }

    /// Works as a helper until the queue is closed.
    func help(_ body: (Portion) -> Void) {
        condition.lock()
        helpers += isClosed ? 0 : 1
        let isHelping = !isClosed
        while isHelping {
            if let portion = waiting.popLast() {
                condition.unlock()
                body(portion)
                condition.lock()
            } else if isClosed {
                break
            } else {
                condition.wait()
            }
        }
        helpers -= isHelping ? 1 : 0
        condition.broadcast()
        condition.unlock()
    }

    /// No more portions come: works off the rest, and waits for the helpers.
    func finish(_ body: (Portion) -> Void) {
        condition.lock()
        isClosed = true
        condition.broadcast()
        while true {
            if let portion = waiting.popLast() {
                condition.unlock()
                body(portion)
                condition.lock()
            } else if helpers > 0 {
                condition.wait()
            } else {
                break
            }
        }
        condition.unlock()
    }
}
