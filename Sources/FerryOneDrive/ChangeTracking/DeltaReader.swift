import FerryCore
import FerryHTTP
import Foundation
import Synchronization

/// Finds out where changed items are and were, and puts their changes in order.
actor DeltaReader {
    /// Folders above items that were seen, of which it is asked at most whether they are still there.
    private static let mostQuestions = 200

    private let provider: OneDriveFileProvider
    private let view: KnownItems.View
    private let version: Int?
    private let time: Date?
    private let folders: DeltaFolders

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - view: The known facts about places.
    ///   - version: The number of the moment since which places count; `nil` for an anchor of another process, of which
    ///     nobody knows where it has seen items.
    ///   - time: The time since which items are new, by the service's clock.
    init(_ provider: OneDriveFileProvider, view: KnownItems.View, since version: Int?, time: Date?) {
        self.provider = provider
        self.view = view
        self.version = version
        self.time = time
        folders = DeltaFolders(provider)
    }

    /// Returns the changes in an order in which they can be applied.
    ///
    /// - Parameter items: The changed items, each once.
    /// - Returns: The changes.
    /// - Throws: ``OneDriveError``; `AnchorExpiredError` where the former place of an item that is still there must be
    ///   known and is not.
    func steps(_ items: [GraphItem]) async throws -> [DeltaPlan.Step] {
        let top = try await provider.top()
        let changed = items.filter { $0.root == nil && GraphAddress(drive: top.drive, id: $0.id) != top }
        guard !changed.isEmpty else { return [] }
        await folders.note(items)
        let type = provider.drive.withLock { $0.type }
        var arrivals: [DeltaPlan.Arrival] = []
        var departures: [DeltaPlan.Departure] = []
        var hasUnknownFolders = false
        // The owner of an anchor of another process can know where these were.
        let strangers = version == nil ? changed.filter(\.isDeleted).map(\.id) : []
        for item in changed {
            if version == nil, !item.isDeleted, !isNew(item) { throw AnchorExpiredError() }
            let places = places(of: item.id)
            // An item that is outside of the folder that paths begin at is gone for us.
            guard !item.isDeleted, let folder = try await folders.path(ofParentOf: item) else {
                if !places.isEmpty { departures.append(DeltaPlan.Departure(id: item.id, places: places)) }
                continue
            }
            guard let file = item.item(in: folder, driveType: type) else { throw DeltaFolders.doubt }
            if places.isEmpty, file.isDirectory { hasUnknownFolders = true }
            arrivals.append(DeltaPlan.Arrival(item: file, id: item.id, places: places))
        }
        if hasUnknownFolders { departures += try await departedFolders() }
        let plan = DeltaPlan(arrivals, departures, occupied: occupied(arrivals, departures))
        let steps = try await withContents(plan.steps, besides: Set(changed.map(\.id)))
        return strangers.map { .removedItem(id: $0) } + steps
    }

    /// Returns whether an item is surely newer than the anchor.
    private func isNew(_ item: GraphItem) -> Bool {
        guard let time, let created = OneDriveDate.date(item.createdDateTime) else { return false }
        // The service's clock is told in whole seconds.
        return created >= time.addingTimeInterval(1)
    }

    private func places(of id: String) -> [KnownItems.Sighting] {
        version.map { view.places(of: id, since: $0) } ?? []
    }

    /// Returns the paths of items that have not changed, as far as something may be reported to be gone from there.
    private func occupied(
        _ arrivals: [DeltaPlan.Arrival],
        _ departures: [DeltaPlan.Departure]
    ) -> Set<ItemPath> {
        let candidates = Set(arrivals.flatMap(\.places).map(\.path) + departures.flatMap(\.places).map(\.path))
        guard !candidates.isEmpty else { return [] }
        return view.paths(among: candidates, besides: Set(arrivals.map(\.id) + departures.compactMap(\.id)))
    }

    /// Returns the folders that are gone from above items that were seen, though they were never seen themselves: one of
    /// those that are not known may be such a folder, with another name.
    private func departedFolders() async throws -> [DeltaPlan.Departure] {
        let unseen = view.unseenFolders
        guard unseen.count <= Self.mostQuestions else { throw AnchorExpiredError() }
        var departures: [DeltaPlan.Departure] = []
        // A folder comes before those in it.
        for path in unseen.sorted() where !departures.contains(where: { path.isBelow($0.places[0].path) }) {
            if try await provider.attributesIfExists(path: path) == nil {
                let place = KnownItems.Sighting(place: KnownItems.Place(path: path, isFolder: true))
                departures.append(DeltaPlan.Departure(id: nil, places: [place]))
            }
        }
        return departures
    }

    // MARK: Contents of folders

    /// Adds what is in folders that came from elsewhere: it has not changed, so the service does not mention it.
    private func withContents(_ steps: [DeltaPlan.Step], besides changed: Set<String>) async throws -> [DeltaPlan.Step]
    {
        var told = changed
        let wanted = foldersToList(steps)
        var listed: Set<ItemPath> = []
        var contents: [ItemPath: [FileObject]] = [:]
        var occupied: Set<ItemPath> = []
        var applied = AppliedSteps()
        var all: [DeltaPlan.Step] = []
        for step in steps {
            all.append(step)
            applied.add(step)
            guard case .updated(let update) = step, wanted.contains(update.item.path) else { continue }
            // A folder comes before those in it, which one listing is for, too.
            if !update.item.path.isAtOrBelow(listed) {
                listed.insert(update.item.path)
                let items = try await self.contents(of: update.item.path)
                let seenAt = Set(items.compactMap { $0.id.flatMap { places(of: $0).last?.path } })
                if !seenAt.isEmpty {
                    occupied.formUnion(view.paths(among: seenAt, besides: changed.union(items.compactMap(\.id))))
                }
                for item in items {
                    var folder = item.path.parent
                    while !wanted.contains(folder), !folder.isRoot { folder = folder.parent }
                    contents[folder.isRoot ? update.item.path : folder, default: []].append(item)
                }
            }
            for item in contents[update.item.path] ?? [] {
                guard let id = item.id, told.insert(id).inserted else { continue }
                let last = places(of: id).last?.path
                let previous = last.flatMap {
                    self.previous(of: item, seenAt: $0, in: update, after: applied, occupied)
                }
                let content = DeltaPlan.Update(
                    item: item,
                    previous: previous,
                    wasKnown: last != nil,
                    formerFolder: nil
                )
                all.append(.updated(content))
                applied.add(.updated(content))
            }
        }
        return all
    }

    /// Finds the path from which an item has moved that is in a listed folder.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - last: The path at which it was seen last.
    ///   - folder: The change of the folder.
    ///   - applied: The changes before.
    ///   - occupied: The paths at which other items are that have not changed.
    /// - Returns: The path; `nil` if it has not moved by itself, or if something else is there by now.
    private func previous(
        of item: FileObject,
        seenAt last: ItemPath,
        in folder: DeltaPlan.Update,
        after applied: AppliedSteps,
        _ occupied: Set<ItemPath>
    ) -> ItemPath? {
        if let former = folder.formerFolder, last == item.path || last.isBelow(former) {
            return item.path.replacing(folder.item.path, with: former)
        }
        // It has come into the folder from elsewhere, maybe since the service wrote its list.
        guard last != item.path, !occupied.contains(last), let place = applied.present(last)
        else { return nil }
        return place == item.path ? nil : place
    }

    /// Returns the folders that come from elsewhere, or may do so.
    private func foldersToList(_ steps: [DeltaPlan.Step]) -> Set<ItemPath> {
        var counts: [ItemPath: Int64] = [:]
        for case .updated(let update) in steps { counts[update.item.path.parent, default: 0] += 1 }
        var folders: Set<ItemPath> = []
        for case .updated(let update) in steps where update.item.isDirectory {
            // All that is in it is among the changes. On personal drives these have 0 for any number.
            let isComplete = counts[update.item.path].map { $0 == update.item.extras[.childCount] } ?? false
            if update.formerFolder != nil || (!update.wasKnown && !isComplete) { folders.insert(update.item.path) }
        }
        return folders
    }

    private func contents(of folder: ItemPath) async throws -> [FileObject] {
        var items: [FileObject] = []
        let pages =
            provider.treeListing(path: folder) ?? provider.crawl(path: folder, recursive: true, query: .all).pages
        do {
            for try await page in pages { items += page }
        } catch let error where error.isNoSuchItem {
            // It has moved on, which the next changes tell.
            return []
        }
        // A folder comes before what is in it.
        return items.sorted { $0.path < $1.path }
    }
}

extension ItemPath {
    /// Returns whether the path is one of some folders, or is below one.
    fileprivate func isAtOrBelow(_ folders: Set<ItemPath>) -> Bool {
        var path = self
        while !path.isRoot, !folders.contains(path) { path = path.parent }
        return !path.isRoot
    }
}
