public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Synchronization

/// The server's trash.
extension NextcloudFileProvider: FileProviderTrash {
    private static let names: [WebDAVPropertyName] = [
        .nextcloud("trashbin-filename"), .nextcloud("trashbin-original-location"),
        .nextcloud("trashbin-deletion-time"), .fileID, .size,
    ]

    /// Indicates whether the server has a trash: all that is removed goes there.
    public var trashesRemovedItems: Bool { facts.hasTrash }

    private var trashTarget: String { place.target("trashbin", userID) + "/trash" }

    /// Puts an item into the trash, a folder with all below it.
    ///
    /// - Parameter path: The item; never the root.
    /// - Returns: The item in the trash.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where removed items are gone.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        guard !path.isRoot else { throw CocoaError.file(.fileWriteNoPermission, path: path) }
        guard facts.hasTrash else { throw CocoaError.unsupported("a trash", path: path) }
        let item = try await attributesOfItem(path: path)
        try await removeItem(path: item.path)
        let found = try await trashedItems().first {
            item.id == nil ? $0.originalPath == item.path : $0.item.id == item.id
        }
        guard let found else {
            throw CocoaError.file(.fileWriteUnknown, path: path, description: "the server removed it for good")
        }
        return found
    }

    /// Returns what is in the trash, as far as it was in our folder.
    ///
    /// - Returns: Items, latest first.
    /// - Throws: The error that keeps the trash from being read completely.
    public func trashedItems() async throws -> [TrashedItem] {
        guard facts.hasTrash else { throw CocoaError.unsupported("a trash", path: .root) }
        let names = WebDAVPropertyRequest.item + [.contentType] + Self.names
        let entries = try await entries(at: trashTarget, depth: .members, names, about: .root)
        // Items that came later stand later among those of one second, too.
        let items = entries.reversed().compactMap(trashed)
        return items.sorted { ($0.deletionDate ?? .distantPast) > ($1.deletionDate ?? .distantPast) }
    }

    private func trashed(_ entry: MultistatusEntry) -> TrashedItem? {
        guard let location = entry.properties[Self.names[1]]?.text, let path = ItemPath("/" + location),
            let original = path.relative(to: place.folder), !original.isRoot,
            let id = Self.lastName(of: entry.hrefText)
        else { return nil }
        return TrashedItem(
            id: id,
            item: item(entry.properties, at: original),
            deletionDate: entry.properties[Self.names[2]]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        )
    }

    /// The last name of an href, decoded.
    static func lastName(of href: String) -> String? {
        href.split(separator: "/").last?.removingPercentEncoding
    }

    /// Takes an item out of the trash; it never replaces what exists.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - target: Where to put it; `nil` for where it came from.
    /// - Throws: `CocoaError.fileWriteFileExists`, `.fileNoSuchFile` when it is no longer in the trash, or its folder is
    ///   gone.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        var target = target ?? item.originalPath
        if target.beginsWithIdentifier { target = try await located(new: target) }
        // The server would give it another name, or put it at the top.
        guard try await attributesIfExists(path: target) == nil else { throw CocoaError.itemExists(target) }
        guard let folder = try await attributesIfExists(path: target.parent) else {
            throw CocoaError.noSuchItem(target.parent)
        }
        guard folder.isDirectory else { throw CocoaError.notAFolder(target.parent, whileWriting: true) }
        let destination = place.origin.url(place.target("trashbin", userID) + "/restore/" + item.item.name.formEscaped)
        do {
            try await perform(.move, trashTarget(item), [.destination: destination], about: target)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            throw CocoaError.noSuchItem(item.originalPath, underlying: error)
        }
        guard let id = item.item.id.flatMap({ Int64($0) }) else {
            if target != item.originalPath { try await moveItem(path: item.originalPath, to: target) }
            return
        }
        // Where it is now depends on what else is there.
        if let place = try await find(id) {
            if place != target { try await moveItem(path: place, to: target) }
        } else {
            try await fetch(id, to: target, isFolder: item.item.isDirectory)
        }
    }

    /// Moves an item here that came back to the top of the user's files, which we may not show: so it does where its
    /// folder is gone.
    private func fetch(_ id: Int64, to target: ItemPath, isFolder: Bool) async throws {
        guard let source = try await self.target(of: id) else {
            throw CocoaError.noSuchItem(ItemPath(identifier: String(id)))
        }
        let destination = place.origin.url(connection.target(target, isFolder: isFolder))
        try await perform(.move, source, [.destination: destination, .overwrite: "F"], about: target)
    }

    private func trashTarget(_ item: TrashedItem) -> String { "\(trashTarget)/\(item.id.formEscaped)" }

    /// Removes items from the trash for good.
    ///
    /// - Parameter items: Which ones; `nil` for all, those of other folders too.
    /// - Throws: The error that keeps an item from being removed; the others are removed.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        guard let items else {
            try await perform(.delete, trashTarget, about: .root)
            return
        }
        var failure: (any Error)?
        for item in items {
            do {
                try await perform(.delete, trashTarget(item), about: item.originalPath)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Removes an item for good: it does not go into the trash.
    ///
    /// - Parameter path: The item; never the root.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`.
    public func removeItemForGood(path: ItemPath) async throws {
        guard !path.isRoot else { throw CocoaError.file(.fileWriteNoPermission, path: path) }
        let located = try await located(path)
        try await perform(.delete, connection.target(located, isFolder: false), [.skipTrash: "true"], about: path)
    }
}

extension NextcloudFileProvider {
    /// Removes, but not within the second in which an item of the same name was removed.
    ///
    /// The trash tells items apart by name and second: of two in one second, the first would be lost.
    ///
    /// - Parameters:
    ///   - path: The item to remove.
    ///   - remove: Removes it.
    /// - Throws: Any error that `remove` throws.
    func avoidingClash(of path: ItemPath, _ remove: () async throws -> Void) async throws {
        let name = path.lastName
        guard facts.hasTrash, !path.isRoot else { return try await remove() }
        var waits = 0
        // A second has passed by then, whatever the time of day says.
        while waits < 20, let last = trashed.withLock({ $0[name] }), last >= second {
            try await connection.clock.sleep(for: .milliseconds(100))
            waits += 1
        }
        try await remove()
        // The server's second may begin later than ours; what is older than two is of no interest.
        let now = second
        trashed.withLock { trashed in
            if trashed.count > 1_000 { trashed = trashed.filter { $0.value >= now - 2 } }
            trashed[name] = now
        }
    }

    private var second: Int { Int(connection.now().timeIntervalSince1970) }
}
