import FerryCore
import Foundation

extension TransferPlace {
    /// Returns what a listing has told of the items that actions are about, for whoever keeps what is replaced or
    /// removed.
    ///
    /// - Parameters:
    ///   - actions: The actions to be done here.
    ///   - date: A time before the listing.
    /// - Returns: `nil` where looking again costs nothing.
    func seen(_ actions: [TransferAction], at date: Date) -> SeenItems? {
        guard isAway else { return nil }
        let items = actions.compactMap { action -> FileObject? in
            guard action.kind == .update || action.kind == .remove, var item = action.target else { return nil }
            item.path = path(action.path)
            return item
        }
        return items.isEmpty ? nil : SeenItems(items, date: date)
    }
}
