import FerryCore
import Foundation
import Synchronization

/// A file of this machine that is read while anybody may write to it: its last bytes are not handed on unless it still is
/// what it was at the first, so that no mixture gets a name.
final class SteadySource: Sendable {
    private let place: TransferPlace
    private let path: ItemPath
    private let facts: FileContentFacts
    private let rest: Mutex<Int64>

    /// Begins; `nil` where the storage itself says so, or nobody knows how much will come.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - place: Where it is.
    ///   - facts: The file's facts when it was opened.
    init?(_ path: ItemPath, at place: TransferPlace, _ facts: FileContentFacts) {
        guard !place.isAway, let length = facts.size else { return nil }
        self.place = place
        self.path = path
        self.facts = facts
        rest = Mutex(length)
    }

    /// Some bytes are about to be handed on.
    ///
    /// - Parameter bytes: How many.
    /// - Throws: ``SourceChangedError``; what keeps it from being looked at.
    func pass(_ bytes: Int) async throws {
        let isLast = rest.withLock { rest in
            rest -= Int64(bytes)
            return rest <= 0
        }
        guard isLast else { return }
        let now = try await place.storage.attributesOfItem(path: path)
        guard SourceIdentity(now)?.agrees(with: facts) ?? false else { throw SourceChangedError(path: path) }
    }
}
