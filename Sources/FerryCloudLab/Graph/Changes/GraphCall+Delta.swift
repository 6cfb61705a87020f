import Foundation
import NIOHTTP1
import Synchronization

extension GraphCall {
    /// Answers `delta`.
    func delta() throws -> LabResponse {
        var renderer = try makeRenderer()
        renderer.hidesPaths = true
        renderer.hidesChildCounts = drive.isPersonal
        let epoch = lab.state.withLock(\.epoch)
        let folder = try storage.read { try self.item(in: $0) }
        guard folder.isFolder, folder.role.isPlainFolder else { throw CloudError.notFolder }
        guard folder.id == CloudTree.rootID || (drive.isPersonal && settings.supportsDeltaBelowRoot) else {
            throw GraphRefusal.invalid("Changes can be asked for at the root of the drive only.", inner: "notSupported")
        }
        let text = options.values["token"] ?? address.arguments.first
        let page: GraphPage
        let position: Int
        switch text {
        case "latest"?:
            return answer(page: [], link: deltaLink(.position(storage.read(\.lastChange)), epoch))
        case nil, ""?:
            (page, position) = storage.read { tree in
                (firstPage(of: roughened(enumeration(of: folder, in: tree), in: tree)), tree.lastChange)
            }
        case let text?:
            if fault == .resetCursor { throw resync("resyncChangesApplyDifferences") }
            let token: GraphDeltaToken
            do throws(GraphRefusal) {
                token = try GraphDeltaToken(text, epoch: epoch)
            } catch {
                guard error.status == 410 else { throw error }
                throw resync(
                    epoch.isMultiple(of: 2) ? "resyncChangesUploadDifferences" : "resyncChangesApplyDifferences"
                )
            }
            switch token {
            case .page(let found, let start): (page, position) = (found, start)
            case .position(let start):
                (page, position) = try storage.read { tree in
                    guard start <= tree.lastChange else { throw resync("resyncChangesUploadDifferences") }
                    let changes = changes(of: folder, since: start, in: tree)
                    return (firstPage(of: roughened(changes, in: tree)), tree.lastChange)
                }
            }
        }
        return try answer(page, position, renderer, epoch)
    }

    private func answer(
        _ page: GraphPage,
        _ position: Int,
        _ renderer: GraphRenderer,
        _ epoch: Int
    ) throws -> LabResponse {
        let (entries, next) = try cut(page)
        let items = storage.read { tree in
            entries.map { entry in
                guard !entry.isGone, let item = tree.liveItem(entry.id) else {
                    return renderer.tombstone(entry.id, in: tree)
                }
                return renderer.entry(item, in: tree, isStale: entry.isStale)
            }
        }
        let link =
            next.map { deltaLink(.page($0, position: position), epoch, name: "nextLink") }
            ?? deltaLink(.position(position), epoch)
        return answer(page: items, link: link)
    }

    /// Returns the link with a token, in the form of the drive.
    private func deltaLink(
        _ token: GraphDeltaToken,
        _ epoch: Int,
        name: String = "deltaLink"
    ) -> (name: String, url: String) {
        let text = token.text(epoch: epoch)
        guard !drive.isPersonal else { return (name, address(path: plainPath, "token", token: text)) }
        let url = address(path: plainPath, "token", token: "")
        // The token is the argument of the function, and the options stay where they are.
        let query = url.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        let rest = query.split(separator: "&").filter { $0 != "token=" }.joined(separator: "&")
        let place = url.split(separator: "?").first.map(String.init) ?? ""
        return (name, "\(place)(token='\(text)')" + (rest.isEmpty ? "" : "?" + rest))
    }

    /// The path of the request without the argument of the function.
    private var plainPath: String {
        request.path.firstIndex(of: "(").map { String(request.path[..<$0]) } ?? request.path
    }

    private func resync(_ code: String) -> GraphRefusal {
        var refusal = GraphRefusal(
            410,
            "resyncRequired",
            "Resync required. Replace any local items with the server's version (including deletes).",
            inner: code
        )
        let fields = request.query.filter { $0.name != "token" }
        let query = fields.map { GraphText.encoded($0.name, leaving: "$") + "=" + GraphText.encoded($0.value) }
        refusal.headers = [
            (
                "Location",
                "\(request.baseURLs["api"] ?? "")\(plainPath)"
                    + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
            )
        ]
        return refusal
    }

    // MARK: - The items

    private func enumeration(of folder: CloudItem, in tree: CloudTree) -> [GraphLists.Entry] {
        ([folder] + tree.descendants(of: folder.id)).map { GraphLists.Entry(id: $0.id) }
    }

    /// Returns the items that have changed, with the folders around them.
    private func changes(of folder: CloudItem, since position: Int, in tree: CloudTree) -> [GraphLists.Entry] {
        var order: [CloudItem.ID] = []
        var seen: Set<CloudItem.ID> = []
        var left: Set<CloudItem.ID> = []
        func add(_ id: CloudItem.ID) {
            if seen.insert(id).inserted { order.append(id) }
        }
        let names = tree.path(of: folder.id) ?? []
        for change in tree.changes[position...] {
            let isHere = tree.isInside(change.itemID, of: folder.id)
            let wasHere = change.path.count > names.count && Array(change.path.prefix(names.count)) == names
            guard isHere || (change.isRemoval && wasHere) else { continue }
            if !isHere { left.insert(change.itemID) }
            if isHere, !excludesParents {
                for parent in parents(of: change.itemID, up: folder.id, in: tree) where tree.liveItem(parent) != nil {
                    add(parent)
                }
            }
            add(change.itemID)
            // Items below a deleted folder are gone as well.
            if tree.liveItem(change.itemID) == nil {
                for below in tree.descendants(of: change.itemID) { add(below.id) }
            }
        }
        return order.map { GraphLists.Entry(id: $0, isGone: left.contains($0)) }
    }

    private var excludesParents: Bool { request.headers.contains(name: "deltaexcludeparent") }

    private func parents(of id: CloudItem.ID, up folder: CloudItem.ID, in tree: CloudTree) -> [CloudItem.ID] {
        var parents: [CloudItem.ID] = []
        var current = id
        while current != folder, let parent = tree.items[current]?.parent {
            parents.append(parent)
            current = parent
        }
        return parents.reversed()
    }

    /// Puts entries into an order that clients must be ready for: a child before its parent, and a file twice, first as
    /// it was before.
    private func roughened(_ entries: [GraphLists.Entry], in tree: CloudTree) -> [GraphLists.Entry] {
        guard settings.hasRoughDeltas, entries.count > 1 else { return entries }
        var entries = entries
        var places: [CloudItem.ID: Int] = [:]
        for (index, entry) in entries.enumerated() {
            places[entry.id] = index
            guard let parent = tree.items[entry.id]?.parent, parent != CloudTree.rootID, let place = places[parent]
            else { continue }
            entries.insert(entries.remove(at: place), at: index)
            break
        }
        if let file = entries.first(where: { tree.liveItem($0.id)?.version != nil && !$0.isGone }) {
            entries.insert(GraphLists.Entry(id: file.id, isStale: true), at: 0)
        }
        return entries
    }
}
