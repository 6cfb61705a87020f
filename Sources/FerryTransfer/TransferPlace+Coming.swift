import FerryCore
import Foundation

extension TransferPlace {
    /// What is to be done here, with the new files of each folder announced together to who records them.
    ///
    /// - Parameter actions: What is to be done.
    /// - Returns: The same, in the same order.
    func works(_ actions: [TransferAction]) -> [WorkQueue.Item] {
        var works = actions.map { WorkQueue.Item(action: $0) }
        var open: (folder: ItemPath, indices: [Int])?
        func close() {
            guard let indices = open?.indices, indices.count > 1 else { return }
            // No more is held than is needed: there may be very many that wait.
            let facts = indices.map { (actions[$0].path, actions[$0].source?.size, actions[$0].source?.modifiedDate) }
            let files = ComingFiles { [self] in
                facts.map { .init(path: path($0), size: $1, modifiedDate: $2) }
            }
            for index in indices { works[index].coming = files }
        }
        for (index, action) in actions.enumerated() {
            guard action.kind == .add, action.source?.isRegularFile == true else { continue }
            let folder = action.path.parent
            if open?.folder == folder, let count = open?.indices.count, count < ComingFiles.most {
                open?.indices.append(index)
            } else {
                close()
                open = (folder, [index])
            }
        }
        close()
        return works
    }
}
