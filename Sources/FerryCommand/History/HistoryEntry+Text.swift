import FerryCore
import FerryUndo
import Foundation

extension HistoryEntry {
    /// The entry as JSON.
    ///
    /// New files are written without an encoder, which takes ten times as long: a copied tree has very many of them.
    ///
    /// - Returns: JSON that a `JSONDecoder` reads.
    /// - Throws: Any error that `JSONEncoder` throws.
    func text() throws -> String {
        if let text = textOfNewFiles { return text }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The text that an encoder writes, but for the order of the keys; `nil` if it is about anything but new files.
    private var textOfNewFiles: String? {
        guard case .create(let path) = entry.operation else { return nil }
        var files: [(path: ItemPath, stamp: ItemStamp?)] = []
        for step in entry.steps {
            guard case .added(let path, let stamp, again: nil) = step, stamp?.isSimple != false else { return nil }
            files.append((path, stamp))
        }
        var line = JSONLine()
        line.begin()
        line.text("prefix", prefix)
        if let roots { line.list("roots", roots.map(\.string)) }
        line.object("entry") { line in
            line.text("id", entry.id.uuidString)
            line.flag("isComplete", entry.isComplete)
            line.object("operation") { line in line.object("create") { $0.text("path", path.string) } }
            line.objects("steps", files) { file, line in
                line.object("added") { line in
                    line.text("_0", file.path.string)
                    if let stamp = file.stamp { line.object("_1") { $0.add(stamp) } }
                }
            }
        }
        line.endInner()
        return String(decoding: line.bytes, as: UTF8.self)
    }
}

extension ItemStamp {
    /// Indicates whether it is nothing but numbers and strings.
    fileprivate var isSimple: Bool {
        tree == nil && extendedAttributes == nil && modified?.timeIntervalSinceReferenceDate.isFinite != false
    }
}

extension JSONLine {
    fileprivate mutating func add(_ stamp: ItemStamp) {
        number("type", Int64(stamp.type.rawValue))
        text("id", stamp.id)
        number("size", stamp.size)
        if let modified = stamp.modified {
            key("modified")
            append("\(modified.timeIntervalSinceReferenceDate)")
        }
        text("eTag", stamp.eTag)
        number("permissions", stamp.permissions.map(Int64.init))
    }
}
