import Foundation
import NIOHTTP1
import Synchronization

extension DropboxCall {
    /// Answers `files/list_folder`.
    func listFolder() throws -> DropboxResult { .json(try page(of: makeCursor())) }

    /// Answers `files/list_folder/get_latest_cursor`.
    func latestCursor() throws -> DropboxResult {
        let start = try makeCursor()
        let cursor = start.advanced(found: [], position: 0, pageCount: 0, change: start.change)
        return .json(["cursor": .string(lab.keep(cursor))])
    }

    /// Answers `files/list_folder/continue`.
    func listFolderContinue() throws -> DropboxResult {
        let cursor = try lab.cursor(text("cursor"))
        guard cursor.account === account else { throw DropboxRefusal.malformed(DropboxLab.badCursor) }
        if fault == .resetCursor || cursor.isReset { throw DropboxTag("reset") }
        return .json(try page(of: cursor))
    }

    private func makeCursor() throws -> DropboxCursor {
        if arguments["shared_link"]?.object != nil {
            throw DropboxTag("path", DropboxTag("unsupported_content_type"))
        }
        let (isRecursive, includesDeleted) = (flag("recursive"), flag("include_deleted"))
        let limit = Int(arguments["limit"]?.integer ?? 2000)
        return try storage.read { tree in
            do {
                let folder = try scope.item(text("path"), in: tree)
                guard folder.isFolder else { throw DropboxTag("not_folder") }
                let path = tree.path(of: folder.id) ?? []
                var found: [DropboxCursor.Found] = []
                if isRecursive, !text("path").isEmpty, folder.id != scope.base { found.append(.item(folder.id)) }
                collect(folder, path, isRecursive, includesDeleted, tree, &found)
                return DropboxCursor(
                    account: account,
                    scope: scope,
                    folder: path,
                    isRecursive: isRecursive,
                    includesDeleted: includesDeleted,
                    limit: limit,
                    found: found,
                    position: 0,
                    pageCount: 0,
                    change: tree.lastChange
                )
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
    }

    private func collect(
        _ folder: CloudItem,
        _ path: [String],
        _ isRecursive: Bool,
        _ includesDeleted: Bool,
        _ tree: CloudTree,
        _ found: inout [DropboxCursor.Found]
    ) {
        for child in tree.children(of: folder.id) {
            found.append(.item(child.id))
            if isRecursive, child.isFolder {
                collect(child, path + [child.name], isRecursive, includesDeleted, tree, &found)
            }
        }
        guard includesDeleted else { return }
        for grave in tree.graves(in: path) { found.append(.deleted(grave.path)) }
    }

    private func page(of cursor: DropboxCursor) throws -> JSONValue {
        let limit = max(1, min(cursor.limit, settings.pageSize))
        return try storage.read { tree in
            let isListing = cursor.position < cursor.found.count
            // One page of a longer listing is empty: clients must not take it for the end.
            if isListing, cursor.pageCount == 1, settings.hasEmptyPages {
                let next = cursor.advanced(
                    found: cursor.found,
                    position: cursor.position,
                    pageCount: 2,
                    change: cursor.change
                )
                return answer([], next: next, hasMore: true)
            }
            if isListing { return listed(cursor, limit, tree) }
            let pending = pending(cursor, tree)
            // Nothing can change any more in a folder that is gone.
            guard !pending.isEmpty || tree.item(at: cursor.folder)?.isFolder == true else {
                throw DropboxTag("path", DropboxTag("not_found"))
            }
            return changed(cursor, pending, limit, tree)
        }
    }

    private func listed(_ cursor: DropboxCursor, _ limit: Int, _ tree: CloudTree) -> JSONValue {
        let end = min(cursor.position + limit, cursor.found.count)
        let entries = cursor.found[cursor.position..<end].compactMap { found -> JSONValue? in
            switch found {
            case .item(let id): tree.liveItem(id).map { .object(cursor.scope.metadata($0, in: tree)) }
            case .deleted(let path): deletedEntry(path, cursor.scope, tree)
            }
        }
        let isOver = end == cursor.found.count
        let next = cursor.advanced(
            found: isOver ? [] : cursor.found,
            position: isOver ? 0 : end,
            pageCount: cursor.pageCount + 1,
            change: cursor.change
        )
        // Something may have changed since the listing began.
        return answer(entries, next: next, hasMore: !isOver || !pending(next, tree).isEmpty)
    }

    private func changed(
        _ cursor: DropboxCursor,
        _ pending: [CloudChange],
        _ limit: Int,
        _ tree: CloudTree
    ) -> JSONValue {
        let page = pending.prefix(limit)
        let entries = page.compactMap { change -> JSONValue? in
            change.isRemoval
                ? deletedEntry(change.path, cursor.scope, tree)
                : tree.liveItem(change.itemID).map { .object(cursor.scope.metadata($0, in: tree)) }
        }
        let hasMore = pending.count > page.count
        let position = hasMore ? (page.last?.number ?? cursor.change) : tree.lastChange
        let next = cursor.advanced(found: [], position: 0, pageCount: cursor.pageCount + 1, change: position)
        return answer(entries, next: next, hasMore: hasMore)
    }

    /// Returns the changes that the client doesn't know: of each path the last one only, in order.
    private func pending(_ cursor: DropboxCursor, _ tree: CloudTree) -> [CloudChange] {
        guard cursor.change < tree.lastChange else { return [] }
        var last: [String: Int] = [:]
        let news = tree.changes[cursor.change...].filter { cursor.covers($0.path, names: tree.names) }
        for change in news { last[tree.names.key(change.path)] = change.number }
        return news.filter { change in
            guard last[tree.names.key(change.path)] == change.number else { return false }
            let now = tree.item(at: change.path)
            return change.isRemoval ? now == nil : now?.id == change.itemID
        }
    }

    private func deletedEntry(_ path: [String], _ scope: DropboxScope, _ tree: CloudTree) -> JSONValue? {
        guard tree.item(at: path) == nil else { return nil }
        return .object(scope.deletedMetadata(path: Array(path.dropFirst(scope.basePath(in: tree).count))))
    }

    private func answer(_ entries: [JSONValue], next: DropboxCursor, hasMore: Bool) -> JSONValue {
        ["entries": .array(entries), "cursor": .string(lab.keep(next)), "has_more": .bool(hasMore)]
    }
}

extension DropboxLab {
    static let badCursor = "request body: cursor: Invalid \"cursor\" parameter"

    /// Keeps the state behind a cursor, and returns the text that clients send back.
    func keep(_ cursor: DropboxCursor) -> String {
        let text = "AAE" + makeText(length: 60)
        state.withLock { $0.cursors[text] = cursor }
        return text
    }

    /// Finds the state behind a cursor.
    ///
    /// - Throws: A refusal with status 400.
    func cursor(_ text: String) throws -> DropboxCursor {
        guard let cursor = state.withLock({ $0.cursors[text] }) else { throw DropboxRefusal.malformed(Self.badCursor) }
        return cursor
    }

    /// Answers `files/list_folder/longpoll`, which has no token.
    func longPoll(_ request: LabRequest) async throws -> LabResponse {
        guard !request.headers.contains(name: "authorization") else {
            throw DropboxRefusal.malformed("This API function takes no HTTP header \"Authorization\".")
        }
        guard request.headers.first(name: "content-type")?.lowercased().hasPrefix("application/json") == true else {
            throw DropboxRefusal.malformed("Bad HTTP \"Content-Type\" header. Expecting \"application/json\".")
        }
        let arguments = try checked(
            request.body.bytes,
            DropboxShape(.required("cursor", .text(1...Int.max)), .defaulted("timeout", .unsigned(30...480))),
            place: "request body: "
        )
        let cursor = try cursor(arguments["cursor"]?.string ?? "")
        if request.fault == .resetCursor || cursor.isReset { throw DropboxTag("reset") }
        let deadline = clock.now.addingTimeInterval(Double(arguments["timeout"]?.integer ?? 30))
        var position = cursor.change
        while true {
            let isChanged = cursor.account.storage.read { tree in
                let isChanged = tree.changes[position...].contains { cursor.covers($0.path, names: tree.names) }
                position = tree.lastChange
                return isChanged
            }
            if isChanged { return LabResponse(json: ["changes": true]) }
            if clock.now >= deadline || Task.isCancelled { return LabResponse(json: ["changes": false]) }
            await wait(for: cursor.account.storage, after: position, until: deadline)
        }
    }

    private func wait(for storage: CloudStorage, after position: Int, until deadline: Date) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await storage.waitForChange(after: position) }
            // Cancelled when the change comes first, which is no error.
            group.addTask { try? await self.clock.sleep(until: deadline) }
            await group.next()
            group.cancelAll()
        }
    }
}
