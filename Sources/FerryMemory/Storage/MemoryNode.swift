import FerryCore
import Foundation

/// One item of the tree.
struct MemoryNode {
    typealias ID = Int

    enum Kind {
        case file
        case folder
        case link(String)
    }

    let id: ID
    let kind: Kind
    var parent: ID
    /// The component by which its folder knows it; empty for the root.
    var name: MemoryName
    var created: Date
    var modified: Date
    /// Counts the contents that the whole storage ever had: no two contents have the same.
    var revision: Int
    var contentType: String?
    /// Counts the changes of the item: its name, its folder, its date, its content.
    var changes = 0

    /// A file's bytes.
    var content = Data()
    /// A file's earlier contents, latest first.
    var versions: [MemoryVersion] = []
    /// A folder's items.
    var children: [MemoryName: ID] = [:]

    var isFolder: Bool {
        if case .folder = kind { true } else { false }
    }

    var isFile: Bool {
        if case .file = kind { true } else { false }
    }

    var eTag: String { "r\(revision)" }
}

/// An earlier content of a file.
struct MemoryVersion {
    let revision: Int
    let content: Data
    let modified: Date

    var version: FileVersion {
        FileVersion(id: "r\(revision)", modifiedDate: modified, size: Int64(content.count), eTag: "r\(revision)")
    }
}

/// A name as a key: equal when its bytes are, where `String` would also call `é` and `e` + accent equal.
struct MemoryName: Hashable, Comparable {
    let text: String

    init(_ text: some StringProtocol) {
        self.text = String(text)
    }

    static func == (first: MemoryName, second: MemoryName) -> Bool {
        first.text.utf8.elementsEqual(second.text.utf8)
    }

    static func < (first: MemoryName, second: MemoryName) -> Bool {
        first.text.utf8.lexicographicallyPrecedes(second.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
