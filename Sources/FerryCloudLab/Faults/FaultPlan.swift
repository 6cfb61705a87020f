import Synchronization

/// The faults that a lab still has to show.
public final class FaultPlan: Sendable {
    private struct Entry {
        var fault: Fault
        var service: String?
        var route: String?
        var skipped: Int
        var count: Int
    }

    private struct Seed {
        var seed: UInt64
        var probability: Double
        var faults: [Fault]
    }

    private struct State {
        var entries: [Entry] = []
        var seed: Seed?
        var requestCounts: [String: UInt64] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Adds a fault.
    ///
    /// - Parameters:
    ///   - fault: The misbehaviour.
    ///   - route: The operation in the service's words, such as `files/upload`; `nil` for all.
    ///   - service: The emulated service; `nil` for all.
    ///   - skipping: The number of matching requests that are answered well first.
    ///   - count: The number of requests after those that meet the fault.
    public func add(
        _ fault: Fault,
        route: String? = nil,
        service: String? = nil,
        skipping: Int = 0,
        count: Int = 1
    ) {
        let entry = Entry(fault: fault, service: service, route: route, skipped: skipping, count: count)
        state.withLock { $0.entries.append(entry) }
    }

    /// Lets a seed choose which requests meet a fault, and which.
    ///
    /// The choice depends on the seed, the operation and the number of requests for it so far, and on nothing else.
    ///
    /// - Parameters:
    ///   - seed: The seed.
    ///   - probability: The part of the requests that meet a fault, from 0 to 1.
    ///   - faults: The faults to choose from.
    public func seed(_ seed: UInt64, probability: Double = 0.1, faults: [Fault] = Fault.survivable) {
        state.withLock { state in
            state.seed = faults.isEmpty ? nil : Seed(seed: seed, probability: probability, faults: faults)
            state.requestCounts = [:]
        }
    }

    /// Removes all faults that are still to be shown, and the seed.
    public func removeAll() {
        state.withLock { state in
            state.entries = []
            state.seed = nil
        }
    }

    /// A Boolean value that indicates whether no fault of those added is left to be shown.
    public var isEmpty: Bool { state.withLock(\.entries.isEmpty) }

    /// Returns the fault that a request meets, and counts the request.
    func next(service: String, route: String) -> Fault? {
        state.withLock { state in
            for index in state.entries.indices {
                let entry = state.entries[index]
                guard entry.service ?? service == service, entry.route ?? route == route else { continue }
                if entry.skipped > 0 {
                    state.entries[index].skipped -= 1
                    continue
                }
                state.entries[index].count -= 1
                if state.entries[index].count <= 0 { state.entries.remove(at: index) }
                return entry.fault
            }
            guard let seed = state.seed else { return nil }
            let count = state.requestCounts[route, default: 0]
            state.requestCounts[route] = count + 1
            // FNV-1a, since the standard library's hashes differ from process to process.
            let name = route.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
            var generator = SeededGenerator(seed: seed.seed ^ name ^ (count &* 0x9E37_79B9))
            guard Double.random(in: 0..<1, using: &generator) < seed.probability else { return nil }
            return seed.faults.randomElement(using: &generator)
        }
    }
}
