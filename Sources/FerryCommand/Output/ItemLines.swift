import FerryCore
import Foundation

/// Writes items as JSON, one object a line, with the keys
/// `path name type size modified created id eTag contentType`; a key whose value is unknown is absent.
struct ItemLines {
    private var line = JSONLine()
    private var folder = ItemPath.root
    private var folderPrefix: [UInt8] = [UInt8(ascii: "/")]

    /// Adds an item's line to the output.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - sink: Where the line goes.
    ///   - more: Adds keys after the usual ones.
    /// - Throws: Any error that writing throws.
    mutating func write(_ item: FileObject, to sink: ByteSink, more: ((inout JSONLine) -> Void)? = nil) throws {
        line.removeAll()
        line.begin()
        writePath(item)
        line.key("name")
        line.string(item.name)
        line.key("type")
        line.raw(item.type.quotedWord)
        if let size = item.size {
            line.key("size")
            line.number(size)
        }
        if let date = item.modifiedDate {
            line.key("modified")
            line.date(date)
        }
        if let date = item.creationDate {
            line.key("created")
            line.date(date)
        }
        writeText(item.id, "id")
        writeText(item.eTag, "eTag")
        writeText(item.contentType, "contentType")
        more?(&line)
        line.end()
        sink.append { $0.append(contentsOf: line.bytes.dropLast()) }
        try sink.endLine()
    }

    private mutating func writeText(_ text: String?, _ key: StaticString) {
        guard let text else { return }
        line.key(key)
        line.string(text)
    }

    /// The items of a folder share its path: it is escaped once.
    private mutating func writePath(_ item: FileObject) {
        line.key("path")
        guard item.extras.isEmpty, !item.name.isEmpty, item.name.isOrdinaryComponent else {
            return line.string(item.path.string)
        }
        if !item.folder.string.hasSameBytes(as: folder.string) {
            folder = item.folder
            var escaped = JSONLine()
            escaped.escaped(folder.isRoot ? "/" : folder.string + "/")
            folderPrefix = escaped.bytes
        }
        line.string(escapedPrefix: folderPrefix, item.name)
    }
}

extension FileObject.Kind {
    /// The word for it in JSON.
    var word: String {
        switch self {
        case .file: "file"
        case .directory: "directory"
        case .symlink: "symlink"
        case .other: "other"
        }
    }

    fileprivate var quotedWord: StaticString {
        switch self {
        case .file: #""file""#
        case .directory: #""directory""#
        case .symlink: #""symlink""#
        case .other: #""other""#
        }
    }
}

extension String {
    /// Indicates whether a name is a path's component as it is.
    fileprivate var isOrdinaryComponent: Bool {
        var text = self
        return text.withUTF8 { bytes in
            if bytes.count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return false }
            return !bytes.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
        }
    }
}
