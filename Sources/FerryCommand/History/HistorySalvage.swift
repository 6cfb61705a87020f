import FerryCore
import FerryTransfer
import FerryUndo
import Foundation

/// Finds what is kept and no command of the history leads to, and brings it back.
///
/// Such are left by processes that were killed at the wrong moment, by histories that were lost, and by other machines.
struct HistorySalvage {
    /// Something that is kept.
    struct Item {
        /// Where: what locations of the storage begin with.
        let prefix: String
        let kept: KeptItem
        /// The name under which it is kept.
        let name: String
        let size: Int64?
        let date: Date?
        let isFolder: Bool
    }

    let session: Session
    let keeper: HistoryKeeper

    init(_ session: Session) {
        self.session = session
        keeper = HistoryKeeper(session)
    }

    /// Returns what is kept and can't be reached by undoing or redoing.
    ///
    /// - Parameter remotes: Remotes that are looked at besides those that the history names.
    /// - Returns: Items, the oldest first.
    /// - Throws: The error that keeps the history, or a storage that was named, from being looked at.
    func items(on remotes: [String]) async throws -> [Item] {
        let history = try await keeper.read()
        let entries = history.groups.filter { !$0.isDropped }.flatMap(\.entries)
        let reachable = Set(entries.flatMap(\.entry.steps).compactMap { $0.kept.flatMap(Self.name) })
        var items: [Item] = []
        let prefixes = Set(remotes).union(history.groups.flatMap(\.places)).union([""])
        for prefix in prefixes.sorted() {
            do {
                for aside in try await keeper.storage(prefix).undo.itemsInAside() {
                    items.append(
                        Item(
                            prefix: prefix,
                            kept: .aside(aside.id),
                            name: Self.name(.aside(aside.id)) ?? aside.id,
                            size: aside.item.size,
                            date: aside.date,
                            isFolder: aside.item.isDirectory
                        )
                    )
                }
            } catch let error where Session.isEnd(error) || remotes.contains(prefix) {
                throw error
            } catch {
                session.report(error)
            }
        }
        for copy in await session.storages.shadow.items() {
            items.append(
                Item(prefix: "", kept: .shadow(copy.id), name: copy.id, size: copy.size, date: nil, isFolder: false)
            )
        }
        return items.filter { !reachable.contains($0.name) }
            .sorted { ($0.date ?? .distantPast, $0.name) < ($1.date ?? .distantPast, $1.name) }
    }

    /// Returns what it is called where it is kept; `nil` for what a server keeps by itself.
    private static func name(_ kept: KeptItem) -> String? {
        switch kept {
        case .aside(let id): id.split(separator: "/").last.map(String.init) ?? id
        case .shadow(let id): id
        case .version, .soughtVersion, .trash, .soughtTrash, .link, .emptyFolder, .emptyFile, .original: nil
        }
    }
}
