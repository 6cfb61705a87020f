import FerryCore
import Synchronization

/// Reads on where files are read part by part in order, so that the next part is kept already when it is asked for.
///
/// The more parts were read in order, the further it reads; as soon as a part is not the next one, it stops.
final class ReadAhead: Sendable {
    private struct Reading {
        /// Where the next part begins, if it is the next.
        var end: Int64
        /// Parts that were read in order.
        var parts = 1
        /// The range that is read ahead, or was.
        var ahead: Range<Int64>?
        var task: Task<Void, Never>?
        /// Indicates whether the bytes read ahead were not kept, so that all would be asked for twice.
        var isInVain = false
    }

    /// Files that are followed at the same time.
    private static let most = 32

    private let limit: Int64
    private let state = Mutex<(readings: [ItemPath: Reading], order: [ItemPath])>(([:], []))

    /// Makes one that has seen nothing.
    ///
    /// - Parameter limit: Bytes to read on, at most.
    init(limit: Int64) {
        self.limit = limit
    }

    deinit {
        for reading in state.withLock({ $0.readings.values.map(\.task) }) { reading?.cancel() }
    }

    /// Waits for a part that is being read on, rather than asking for it once more.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - range: The part that is wanted.
    func wait(for path: ItemPath, _ range: ByteRange) async {
        guard case .bytes(let wanted) = range else { return }
        let task = state.withLock { state -> Task<Void, Never>? in
            guard let reading = state.readings[path], let ahead = reading.ahead,
                ahead.contains(wanted.lowerBound), reading.end == wanted.lowerBound
            else { return nil }
            return reading.task
        }
        guard let task else { return }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Notes that a part is read, and reads on if that makes sense.
    ///
    /// - Parameters:
    ///   - range: The part.
    ///   - opening: How it is read.
    ///   - version: The version that is read.
    ///   - length: Bytes of the file.
    func didRead(_ range: Range<Int64>, of opening: ContentsOpening, version: CacheVersion, length: Int64) {
        guard case .bytes = opening.range, opening.plan.keeps, opening.plan.use == .validated, !range.isEmpty else {
            return
        }
        let dropped = state.withLock { state -> Task<Void, Never>? in
            let path = opening.path
            guard var reading = state.readings[path], reading.end == range.lowerBound else {
                let old = state.readings.updateValue(Reading(end: range.upperBound), forKey: path)
                if old == nil { state.order.append(path) }
                guard state.order.count > Self.most else { return old?.task }
                return state.readings.removeValue(forKey: state.order.removeFirst())?.task
            }
            reading.end = range.upperBound
            reading.parts += 1
            readOn(&reading, opening, version, length)
            state.readings[path] = reading
            return nil
        }
        dropped?.cancel()
    }

    private func readOn(
        _ reading: inout Reading,
        _ opening: ContentsOpening,
        _ version: CacheVersion,
        _ length: Int64
    ) {
        let window = min(limit, (256 << 10) << Int64(min(reading.parts, 20)))
        let start = max(reading.end, reading.ahead?.upperBound ?? 0)
        let end = min(length, reading.end + window)
        // Little pieces would be as many requests.
        guard start < end, start - reading.end < window / 2, !reading.isInVain else { return }
        let before = reading.task
        reading.ahead = min(reading.ahead?.lowerBound ?? start, start)..<end
        // It ends with its bytes, and is cancelled when the reading is not in order, or with the provider.
        reading.task = Task { [weak self] in
            await before?.value
            if await !opening.readOn(start..<end, of: version) { self?.giveUp(opening.path) }
        }
    }

    private func giveUp(_ path: ItemPath) {
        state.withLock { $0.readings[path]?.isInVain = true }
    }
}

extension ContentsOpening {
    /// Reads a part so that it is kept.
    ///
    /// - Parameters:
    ///   - range: Which bytes.
    ///   - version: Of which version: of another, nothing is read.
    /// - Returns: `true` if it was kept, or if the error that keeps it from being read may pass.
    fileprivate func readOn(_ range: Range<Int64>, of version: CacheVersion) async -> Bool {
        let alone = ContentsOpening(
            engine: engine,
            base: base,
            path: path,
            range: .bytes(range),
            plan: plan,
            progress: nil
        )
        do {
            for part in await alone.keptNow(of: version)?.ranges.gaps(in: range) ?? [range] {
                guard let live = try await alone.gap(part, of: version) else { return true }
                defer { live.contents.leave(live.reader) }
                while case .chunk = try await live.contents.next(live.reader) {}
            }
            return await alone.keptNow(of: version)?.ranges.covers(range) ?? false
        } catch {
            // Whoever wants these bytes asks for them, and hears what is wrong.
            return true
        }
    }
}
