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
            let files = ComingFiles { [self] in
                indices.map { index in
                    let action = actions[index]
                    return .init(
                        path: path(action.path),
                        size: action.source?.size,
                        modifiedDate: action.source?.modifiedDate
                    )
                }
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
