public import FerryCore
public import Foundation

extension MediaSource {
    /// Makes a source of contents that are in memory.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - name: The name that the file would have, by whose extension it may be judged.
    public init(_ data: Data, named name: String) {
        var item = FileObject(path: ItemPath.root.appending(name), type: .file)
        item.size = Int64(data.count)
        self.init(item: item) { range in
            let offsets = range.resolved(size: Int64(data.count))
            return data.dropFirst(Int(offsets.lowerBound)).prefix(offsets.count)
        }
    }
}
