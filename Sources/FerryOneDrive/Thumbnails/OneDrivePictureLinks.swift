import FerryCore
import Foundation
import Synchronization

/// The addresses of the pictures of files that were listed: for a gallery, many of them come with one request.
///
/// The first picture that is wanted is asked for together with those of the files that were listed after it.
final class OneDrivePictureLinks: Sendable {
    /// A picture's address.
    struct Link: Sendable, Hashable {
        /// The address; `nil` if the service makes no picture of the file.
        let url: String?
    }

    /// The addresses by the identifiers of the files; those that are missing are to be asked for one by one.
    typealias Links = [String: Link]

    private struct Wish: Sendable, Hashable {
        let id: String
        let size: OneDriveThumbnailSize
    }

    private struct Batch: Sendable {
        let begun: Date
        let links: Task<Links, any Error>
        /// The tag that the file had when it was listed.
        let eTag: String?

        func isFresh(_ now: Date) -> Bool { now.timeIntervalSince(begun) < OneDrivePictureLinks.lifetime }
    }

    private struct Listed: Sendable {
        let id: String
        var eTag: String?
        let folder: ItemPath
    }

    private struct State {
        var listed: [Listed] = []
        var positions: [String: Int] = [:]
        var batches: [Wish: Batch] = [:]

        /// Returns the files that were listed after one, and then those before it, in the same folder and in no batch.
        func following(_ id: String, _ size: OneDriveThumbnailSize, _ count: Int) -> [Listed] {
            guard let position = positions[id] else { return [] }
            let others = [listed[(position + 1)...], listed[..<position]].joined().lazy.filter {
                $0.folder == listed[position].folder && batches[Wish(id: $0.id, size: size)] == nil
            }
            return Array(others.prefix(count))
        }
    }

    /// The time that addresses are used for.
    private static let lifetime: TimeInterval = 300

    /// Listed files that are remembered, and batches that files are in, at most.
    private static let most = 2_000

    private let state = Mutex(State())

    /// Notes files that were listed, in their order.
    ///
    /// - Parameter files: The files that may have pictures.
    func note(_ files: some Sequence<FileObject>) {
        state.withLock { state in
            for file in files {
                guard let id = file.id else { continue }
                if state.listed.count == Self.most { (state.listed, state.positions) = ([], [:]) }
                if let position = state.positions[id] {
                    state.listed[position].eTag = file.eTag
                } else {
                    state.positions[id] = state.listed.count
                    state.listed.append(Listed(id: id, eTag: file.eTag, folder: file.path.parent))
                }
            }
        }
    }

    /// Returns the address of a file's picture, if it comes with those of others.
    ///
    /// - Parameters:
    ///   - item: The file, as it was listed.
    ///   - size: The size of the picture.
    ///   - count: Files at most whose pictures are asked for with one request.
    ///   - now: The time of day.
    ///   - load: Asks for the pictures of several files, by their identifiers.
    /// - Returns: `nil` for a file that must be asked for by itself.
    /// - Throws: Any error that `load` throws.
    func link(
        to item: FileObject,
        _ size: OneDriveThumbnailSize,
        atOnce count: Int,
        now: Date,
        load: @escaping @Sendable ([String]) async throws -> Links
    ) async throws -> Link? {
        guard let id = item.id else { return nil }
        let wish = Wish(id: id, size: size)
        let links = state.withLock { state -> Task<Links, any Error>? in
            if let batch = state.batches[wish], batch.eTag == item.eTag, batch.isFresh(now) { return batch.links }
            state.batches = state.batches.filter { $0.value.isFresh(now) }
            let others = state.following(id, size, count - 1)
            if others.isEmpty { return nil }
            let ids = [id] + others.map(\.id)
            // One small request, which goes on for the others where this caller is cancelled.
            let links = Task { try await load(ids) }
            if state.batches.count + ids.count > Self.most { state.batches = [:] }
            state.batches[wish] = Batch(begun: now, links: links, eTag: item.eTag)
            for other in others {
                state.batches[Wish(id: other.id, size: size)] = Batch(begun: now, links: links, eTag: other.eTag)
            }
            return links
        }
        guard let links else { return nil }
        do {
            return try await links.value[id]
        } catch {
            state.withLock { $0.batches = $0.batches.filter { $0.value.links != links } }
            throw error
        }
    }
}
