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
    /// - Returns: Changes; a move of an item that was seen before is reported as one.
    /// - Throws: `AnchorExpiredError` when the service no longer knows the changes; also for an anchor of another process,
    ///   if anything but new items is among the changes: where the others were, nobody knows any more.
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
        case .updated(let update): .updated(update.item, previousPath: update.previous)
        }
    }
}
