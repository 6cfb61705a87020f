public import FerryCore
import FerryHTTP
import Foundation

extension OneDriveFileProvider: FileProviderChangeTracking {
    /// Returns the present moment in the drive's history.
    ///
    /// - Returns: An anchor.
    /// - Throws: Errors of the connection.
    public func currentAnchor() async throws -> ChangeAnchor {
        try await mappingRefusals { try await latestAnchor() }.written
    }

    /// Returns what has changed since an anchor.
    ///
    /// The service names items by their identifiers: where one was before is known of what this process has listed. The
    /// contents of a folder that has moved are asked for, and reported one by one.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Returns: Changes; a move of an item that was seen before is reported as one. For an anchor of another process,
    ///   items that are gone are reported by their identifiers alone.
    /// - Throws: `AnchorExpiredError` when the service no longer knows the changes; also for an anchor of another process,
    ///   if an older item is among the changes that is still there: where it was, nobody knows any more.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        guard let point = OneDriveAnchor(anchor), isOwn(point.link) else { throw AnchorExpiredError() }
        do {
            let (steps, next) = try await steps(since: point)
            return ChangeSet(changes: steps.map(\.tracked), anchor: next.written, hasMore: false)
        } catch let error as OneDriveError {
            // A text that is no token is a malformed request.
            if error.reason == .reset || [400, 410].contains(error.answeredStatusCode) {
                throw AnchorExpiredError(serverDescription: error.serverDescription)
            }
            throw error.mapped()
        }
    }

    /// Asks the service again and again, each second at first and each minute when nothing has happened for a while.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait at most.
    /// - Returns: `false` when the time is over.
    /// - Throws: The errors of ``changes(since:)``; `CancellationError`.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await pollForChanges(since: anchor, timeout: timeout, clock: connection.clock)
    }

    /// Returns whether a link is one of the API: an anchor can come from anywhere.
    private func isOwn(_ link: String) -> Bool {
        guard let origin = URL(string: link).flatMap({ HTTPOrigin($0) }) else { return false }
        return connection.session.origins.contains(origin)
    }
}

extension DeltaPlan.Step {
    /// The change as trackers get it.
    var tracked: TrackedChange {
        switch self {
        case .removed(let path, let id): .removed(path, id: id)
        case .removedItem(let id): .removedItem(id: id)
        case .updated(let update): .updated(update.item, previousPath: update.previous)
        }
    }
}
