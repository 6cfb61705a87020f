import FerryCore
import Foundation

/// The facts about an item in the trash; the item itself stays among the nodes.
struct MemoryTrashEntry {
    let file: FileObject
    let deletionDate: Date
    let order: Int

    func item(_ id: MemoryNode.ID) -> TrashedItem {
        TrashedItem(id: "\(id)", item: file, deletionDate: deletionDate)
    }
}

extension MemoryTree {
    mutating func moveToTrash(_ path: ItemPath, now: Date) throws -> TrashedItem {
        let node = try find(path)
        guard node.id != Self.rootID else { throw CocoaError.rootStays }
        let entry = MemoryTrashEntry(file: try fileObject(node.id), deletionDate: now, order: nextRevision())
        noteRemoval(of: node.id)
        detach(node.id)
        trash[node.id] = entry
        return entry.item(node.id)
    }

    var trashedItems: [TrashedItem] {
        trash.sorted { $0.value.order > $1.value.order }.map { $0.value.item($0.key) }
    }

    mutating func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) throws {
        let path = target ?? item.originalPath
        guard let id = Int(item.id), trash[id] != nil else { throw CocoaError.noSuchItem(path) }
        let place = try place(for: path)
        guard place.existing == nil else { throw CocoaError.itemExists(path) }
        trash[id] = nil
        attach(id, to: place.parent, name: place.name)
        note(.created, id)
    }

    mutating func emptyTrash(_ items: [TrashedItem]?) throws {
        for id in items?.compactMap({ Int($0.id) }) ?? Array(trash.keys) where trash.removeValue(forKey: id) != nil {
            forget(id)
        }
    }
}
