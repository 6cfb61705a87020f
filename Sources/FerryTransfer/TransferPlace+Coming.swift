import FerryCore
import Foundation

extension TransferPlace {
    /// Returns what is to be done here, with the new files of each folder announced together to who records them.
    ///
    /// - Parameter actions: The actions to be done.
    /// - Returns: The same, in the same order.
    func works(_ actions: [TransferAction]) -> [WorkQueue.Item] {
        var works = actions.map { WorkQueue.Item(action: $0) }
        // No more is held than is needed: there may be very many that wait.
        var open: [(index: Int, path: ItemPath, size: Int64, modifiedDate: Date?)] = []
        func close() {
            guard open.count > 1 else { return }
            let facts = open
            let files = ComingFiles { [self] in
                facts.map { .init(path: path($0.path), size: $0.size, modifiedDate: $0.modifiedDate) }
            }
            for file in facts { works[file.index].coming = files }
        }
        for (index, action) in actions.enumerated() {
            guard action.kind == .add, let file = action.source, file.isRegularFile, let size = file.size else {
                continue
            }
            if open.count == ComingFiles.most || open.last?.path.parent != action.path.parent {
                close()
                open = []
            }
            open.append((index, action.path, size, file.modifiedDate))
        }
        close()
        return works
    }
}
