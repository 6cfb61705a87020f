import FerryTestServers

/// Lets only a few in at a time.
///
/// Swift Testing begins all cases of a test at once; hundreds of connections tell nothing about a server, and everything
/// times out.
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

    /// Those of each server.
    static let ofServer = Dictionary(uniqueKeysWithValues: RealServerKind.allCases.map { ($0, Permits(4)) })

    /// Those for rules about locks, of servers that mix up those of several clients: of 16 that lock at the same time Apache
    /// refuses half, and lists some locks that were ended.
    static let ofLocks: [RealServerKind: Permits] = [.apache: Permits(1)]
}
