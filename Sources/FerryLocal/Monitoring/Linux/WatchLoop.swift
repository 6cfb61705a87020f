#if os(Linux)
import CFerryLinux
import Foundation
import Synchronization

/// The one thread that waits for the changes of all watched trees.
final class WatchLoop: Sendable {
    /// The one that providers share unless they are given another.
    static let shared = WatchLoop(name: "ferry-watch")

    /// The thread's name, of which the system shows 15 characters.
    let name: String

    private struct State {
        var trees: [WatchedTree] = []
        /// Trees that are to be let go of on the thread, since freeing many watches takes long.
        var leaving: [WatchedTree] = []
        /// Wakes the thread; it runs if there is one.
        var bell: Descriptor?
    }

    /// When something is to be done with a tree.
    private struct Schedule {
        /// When what was taken is to be handled; `nil` while nothing has happened.
        var handling: ContinuousClock.Instant?
        /// Indicates whether changes are gathered: then the kernel is asked again and again, and not at each change.
        var isGathering = false
    }

    /// How long changes are gathered, so that those of one file are told together.
    private static let gathering = Duration.milliseconds(50)

    /// How often the kernel is asked meanwhile, so that it need not drop any.
    private static let step = Duration.milliseconds(5)

    private let state = Mutex(State())

    /// Makes a loop; its thread begins with the first tree.
    init(name: String) {
        self.name = name
    }

    /// Trees that are watched.
    var treeCount: Int { state.withLock { $0.trees.count } }

    /// Begins to wait for a tree's changes.
    ///
    /// - Parameter tree: Has begun to watch.
    /// - Throws: `EMFILE` when too many files are open.
    func add(_ tree: WatchedTree) throws(Errno) {
        try state.withLock { state throws(Errno) in
            if state.bell == nil {
                let bell = Descriptor(owning: try system { ferry_eventfd() })
                state.bell = bell
                let thread = Thread {
                    // Not by Foundation, which forgets it where the thread is quicker than the one who made it.
                    _ = ferry_name_thread(String(self.name.prefix(15)))
                    self.run(bell)
                }
                thread.start()
            }
            state.trees.append(tree)
        }
        ring()
    }

    /// Ends a tree's watch, soon.
    func remove(_ tree: WatchedTree) {
        state.withLock { state in
            state.trees.removeAll { $0 === tree }
            state.leaving.append(tree)
        }
        ring()
    }

    private func ring() {
        guard let bell = state.withLock({ $0.bell }) else { return }
        var one: UInt64 = 1
        _ = write(bell.raw, &one, 8)
    }

    private func run(_ bell: Descriptor) {
        var schedules: [ObjectIdentifier: Schedule] = [:]
        while true {
            let (trees, leaving) = state.withLock { state in
                defer { state.leaving = [] }
                return (state.trees, state.leaving)
            }
            for tree in leaving {
                schedules[ObjectIdentifier(tree)] = nil
                tree.end()
            }
            wait(for: trees, bell, &schedules)
            let now = ContinuousClock.now
            for tree in trees {
                let id = ObjectIdentifier(tree)
                if schedules[id]?.isGathering == true, tree.drain() { schedules[id]?.handling = now }
                guard let due = schedules[id]?.handling, due <= now else { continue }
                schedules[id] = Schedule(handling: tree.handle())
                if tree.descriptor == nil { remove(tree) }
            }
        }
    }

    /// Waits until something has happened in a tree, or is to be done.
    private func wait(
        for trees: [WatchedTree],
        _ bell: Descriptor,
        _ schedules: inout [ObjectIdentifier: Schedule]
    ) {
        var waits = [pollfd(fd: bell.raw, events: Int16(POLLIN), revents: 0)]
        // They stay open as long as they are waited for.
        var waiting: [(tree: WatchedTree, list: Inotify)] = []
        let now = ContinuousClock.now
        var deadline: ContinuousClock.Instant?
        for tree in trees {
            let schedule = schedules[ObjectIdentifier(tree)] ?? Schedule()
            var next = schedule.handling
            if schedule.isGathering {
                next = min(next ?? now, now + Self.step)
            } else if let list = tree.descriptor {
                waiting.append((tree, list))
                waits.append(pollfd(fd: list.raw, events: Int16(POLLIN), revents: 0))
            }
            if let next { deadline = deadline.map { min($0, next) } ?? next }
        }
        _ = poll(&waits, nfds_t(waits.count), Self.milliseconds(until: deadline, now))
        if waits[0].revents != 0 {
            var count: UInt64 = 0
            _ = read(bell.raw, &count, 8)
        }
        let later = ContinuousClock.now + Self.gathering
        for (wait, entry) in zip(waits.dropFirst(), waiting) where wait.revents != 0 {
            let id = ObjectIdentifier(entry.tree)
            let handling = schedules[id]?.handling.map { min($0, later) } ?? later
            schedules[id] = Schedule(handling: handling, isGathering: true)
        }
    }

    /// Returns what `poll` is told; -1 for ever.
    private static func milliseconds(until deadline: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> CInt {
        guard let deadline else { return -1 }
        let wait = max(.zero, deadline - now)
        return CInt(
            clamping: wait.components.seconds * 1_000 + (wait.components.attoseconds + 999_999_999_999_999)
                / 1_000_000_000_000_000
        )
    }
}
#endif
