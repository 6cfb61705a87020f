import FerryCore
import FerryTransfer
import Foundation
import Synchronization

/// The present state of a transfer, for whoever shows it.
final class TransferBoard: Sendable {
    /// A file that is under way.
    struct File: Sendable {
        /// Where it goes, from the top of the transfer.
        let path: ItemPath
        /// How far it is.
        let progress: Progress
    }

    private struct State {
        /// The files, the one that began first at the front.
        var files: [File] = []
        /// Bytes that had arrived at some moments, the last of them at the end.
        var samples: [(time: ContinuousClock.Instant, bytes: Int64)] = []
    }

    /// The whole's progress.
    let progress = Progress(totalUnitCount: 0)

    private let state = Mutex(State())

    /// The time over which the speed is an average.
    private static let window = Duration.seconds(10)

    /// Something has happened.
    func note(_ event: TransferEvent) {
        switch event {
        case .began(let action, let progress):
            guard action.kind == .add || action.kind == .update else { return }
            state.withLock { $0.files.append(File(path: action.path, progress: progress)) }
        case .did(let action), .failed(let action, _):
            state.withLock { state in
                guard let index = state.files.firstIndex(where: { $0.path == action.path }) else { return }
                state.files.remove(at: index)
            }
        }
    }

    /// How far it is.
    var status: TransferStatus { progress.transferStatus ?? TransferStatus() }

    /// The files that are under way.
    var files: [File] { state.withLock { $0.files } }

    /// Bytes a second, of late.
    ///
    /// - Parameters:
    ///   - bytes: Bytes that have arrived by now.
    ///   - now: The time.
    /// - Returns: `nil` before there is anything to compare with.
    func speed(_ bytes: Int64, at now: ContinuousClock.Instant) -> Double? {
        state.withLock { state in
            state.samples.append((now, bytes))
            while state.samples.count > 2, state.samples[1].time.duration(to: now) > Self.window {
                state.samples.removeFirst()
            }
            guard let first = state.samples.first, first.bytes < bytes else { return nil }
            let seconds = first.time.duration(to: now) / .seconds(1)
            return seconds > 0 ? Double(bytes - first.bytes) / seconds : nil
        }
    }
}
