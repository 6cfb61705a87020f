import NIOCore

/// The count of bytes that passed through a ``FaultProxy``, which says when its fault strikes.
struct FaultTraffic: Sendable {
    private(set) var fault: Fault?
    private(set) var strikeCount = 0
    private(set) var passed: [Fault.Direction: Int] = [:]
    var connectionCount = 0

    private var countedFromNow = 0
    private var timesLeft = Int.max

    mutating func setFault(_ fault: Fault?) {
        self.fault = fault
        countedFromNow = 0
        timesLeft = fault?.times ?? .max
    }

    /// Says what to do with bytes that came.
    ///
    /// - Parameters:
    ///   - count: How many came.
    ///   - direction: Which way they go.
    ///   - already: How many passed that way on this connection before.
    /// - Returns: How many to pass on, and what happens then.
    mutating func pass(
        _ count: Int,
        _ direction: Fault.Direction,
        already: Int
    ) -> (count: Int, effect: Fault.Effect?) {
        guard let fault, fault.direction == direction, timesLeft > 0 else {
            passed[direction, default: 0] += count
            return (count, nil)
        }
        let room = max(0, fault.offset - (fault.counting == .fromNow ? countedFromNow : already))
        let allowed = min(count, room)
        passed[direction, default: 0] += allowed
        countedFromNow += allowed
        guard count >= room else { return (count, nil) }
        strikeCount += 1
        timesLeft -= 1
        return (allowed, fault.effect)
    }
}
