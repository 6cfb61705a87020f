import FerryTestServers
import Synchronization

/// Lets only a few in at a time: Swift Testing begins all cases of a test at once.
actor Permits {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) {
        free = count
    }

    /// Waits for a permit.
    func acquire() async {
        guard free == 0 else {
            free -= 1
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    /// Gives a permit back.
    func release() {
        guard waiting.isEmpty else { return waiting.removeFirst().resume() }
        free += 1
    }

    private static let all = Mutex<[FTPServerWay: Permits]>([:])

    /// Those of a server.
    static func of(_ way: FTPServerWay) -> Permits {
        all.withLock { all in
            let permits = all[way] ?? Permits(4)
            all[way] = permits
            return permits
        }
    }
}
