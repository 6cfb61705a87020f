import FerryCore
import Synchronization

/// Copies whose contents their storage has changed while it took them, as SharePoint does with documents.
///
/// By size and checksum such a copy differs from its original for good. It is remembered as the storage has it, so that
/// later runs copy it again only when one of the two has changed.
final class RewrittenCopies: Sendable {
    private struct State {
        var uploads: UploadMemory?
        var places: Set<ItemPath> = []
        /// The last places of copies that are made elsewhere first.
        var lastPlaces: [ItemPath: ItemPath] = [:]
    }

    private let state = Mutex(State())

    /// Sets what remembers the copies for later runs.
    ///
    /// - Parameter uploads: The memory; `nil` for none.
    func remember(in uploads: UploadMemory?) { state.withLock { $0.uploads = uploads } }

    /// Makes a copy that is moved to its place when it is complete: what is noted of it counts for that place.
    ///
    /// - Parameters:
    ///   - step: The place where it is made.
    ///   - place: The place where it goes.
    ///   - body: Makes it.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    func made<Result>(at step: ItemPath, for place: ItemPath, _ body: () async throws -> Result) async throws -> Result
    {
        state.withLock { $0.lastPlaces[step] = place }
        defer { state.withLock { $0.lastPlaces[step] = nil } }
        return try await body()
    }

    /// Notes a copy.
    ///
    /// - Parameters:
    ///   - original: The file that was copied.
    ///   - place: The place where the copy was made.
    ///   - copy: The copy, as the storage describes it.
    func note(_ original: FileObject, at place: ItemPath, storedAs copy: FileObject) {
        let (place, uploads) = state.withLock { state in
            let last = state.lastPlaces[place] ?? place
            state.places.insert(last)
            return (last, state.uploads)
        }
        uploads?.note(original, at: place, rewrittenTo: copy)
    }

    /// Returns whether a copy was changed, and forgets it.
    ///
    /// - Parameter place: The place of the copy.
    /// - Returns: `false` for what is as it was sent.
    func take(_ place: ItemPath) -> Bool { state.withLock { $0.places.remove(place) != nil } }
}
