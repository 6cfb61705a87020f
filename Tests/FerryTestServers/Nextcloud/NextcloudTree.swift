import FerryCrypto
import Foundation

/// The files of one user, as the stand-in keeps them.
struct NextcloudTree: Sendable {
    static let root = 1

    private(set) var nodes: [Int: NextcloudNode] = [:]
    var versions: [Int: [NextcloudVersion]] = [:]
    var trash: [NextcloudTrashed] = []
    var quota: Int?
    private var lastID: Int
    private var changes = 0

    init(firstID: Int, now: Int) {
        lastID = firstID
        nodes[Self.root] = NextcloudNode(id: Self.root, name: "", isFolder: true, modified: now, uploaded: 0, eTag: "0")
        let eTag = nextETag()
        nodes[Self.root]?.eTag = eTag
    }

    subscript(id: Int) -> NextcloudNode {
        get { nodes[id] ?? NextcloudNode(id: 0, name: "", isFolder: false, modified: 0, uploaded: 0, eTag: "") }
        set { nodes[id] = newValue }
    }

    // MARK: Finding

    func find(_ names: some Sequence<String>) -> Int? {
        var id = Self.root
        for name in names {
            guard let child = nodes[id]?.children[name] else { return nil }
            id = child
        }
        return id
    }

    func names(of id: Int) -> [String] {
        var names: [String] = []
        var node = nodes[id]
        while let current = node, let parent = current.parent {
            names.insert(current.name, at: 0)
            node = nodes[parent]
        }
        return names
    }

    /// Returns whether the item hangs in the user's files, and not in the trash.
    func isLive(_ id: Int) -> Bool {
        var current: Int? = id
        while let id = current {
            if id == Self.root { return true }
            current = nodes[id]?.parent
        }
        return false
    }

    func below(_ id: Int) -> [Int] {
        let children = self[id].children.sorted { $0.key < $1.key }.map(\.value)
        return children.flatMap { [$0] + below($0) }
    }

    func size(of id: Int) -> Int {
        self[id].content.count + self[id].children.values.reduce(0) { $0 + size(of: $1) }
    }

    var used: Int { size(of: Self.root) }

    var available: Int? { quota.map { max(0, $0 - used) } }

    // MARK: Changing

    mutating func makeNode(_ name: String, in parent: Int, isFolder: Bool, now: Int) -> Int {
        lastID += 1
        var node = NextcloudNode(
            id: lastID,
            name: name,
            isFolder: isFolder,
            modified: now,
            uploaded: isFolder ? 0 : now,
            eTag: nextETag()
        )
        node.parent = parent
        nodes[lastID] = node
        nodes[parent]?.children[name] = lastID
        touch(parent, now: now)
        return lastID
    }

    /// Gives a folder, and all above it, new eTags.
    mutating func touch(_ id: Int, now: Int) {
        var current: Int? = id
        nodes[id]?.modified = now
        while let id = current {
            let eTag = nextETag()
            nodes[id]?.eTag = eTag
            current = nodes[id]?.parent
        }
    }

    mutating func touchAncestors(of id: Int) {
        guard let parent = nodes[id]?.parent else { return }
        touch(parent, now: self[parent].modified)
    }

    /// Keeps what a file holds as a version; empty files make none.
    ///
    /// Content that was written in the same second is reported, and returned, with the length of the version before.
    mutating func keepVersion(of id: Int, now: Int?) {
        let node = self[id]
        guard !node.content.isEmpty else { return }
        versions[id, default: []].removeAll { $0.modified == node.modified }
        var content = node.content
        if let now, node.modified >= now, let last = versions[id]?.last { content = content.prefix(last.content.count) }
        versions[id, default: []].append(NextcloudVersion(modified: node.modified, content: content))
    }

    /// Sets dates and checksum of a file that was written, and its eTag, which is made of all but its content.
    ///
    /// Without a date of the client's, and within the same second, it isn't even made anew (quirk 3).
    mutating func settle(_ id: Int, modified: Int?, checksum: String?, now: Int) {
        guard var node = nodes[id] else { return }
        let date = modified ?? now
        let isStale = modified == nil && date == node.modified && node.uploaded == now
        node.checksum = checksum
        node.modified = date
        node.uploaded = now
        if !isStale { node.eTag = Self.eTag(modified: date, inode: id, size: node.content.count) }
        nodes[id] = node
        touchAncestors(of: id)
    }

    mutating func detach(_ id: Int, now: Int) {
        guard let parent = nodes[id]?.parent else { return }
        let name = self[id].name
        nodes[parent]?.children[name] = nil
        nodes[id]?.parent = nil
        touch(parent, now: now)
    }

    mutating func attach(_ id: Int, to parent: Int, as name: String, now: Int) {
        nodes[id]?.parent = parent
        nodes[id]?.name = name
        nodes[parent]?.children[name] = id
        touch(parent, now: now)
    }

    mutating func erase(_ id: Int, now: Int) {
        detach(id, now: now)
        for child in below(id) + [id] {
            nodes[child] = nil
            versions[child] = nil
        }
    }

    mutating func putIntoTrash(_ id: Int, now: Int) {
        let names = names(of: id)
        detach(id, now: now)
        let item = NextcloudTrashed(
            root: id,
            name: self[id].name,
            deleted: now,
            location: names.joined(separator: "/")
        )
        // Two of one name within a second: the server keeps the later one.
        for old in trash where old.key == item.key { erase(old.root, now: now) }
        trash.removeAll { $0.key == item.key }
        trash.append(item)
    }

    /// Copies an item: new numbers, no checksums, no favourites; dates stay.
    mutating func copy(_ id: Int, to parent: Int, as name: String, now: Int) -> Int {
        let source = self[id]
        let copy = makeNode(name, in: parent, isFolder: source.isFolder, now: now)
        nodes[copy]?.content = source.content
        nodes[copy]?.modified = source.modified
        for (name, child) in source.children { _ = self.copy(child, to: copy, as: name, now: now) }
        return copy
    }

    mutating func nextETag() -> String {
        changes += 1
        return String(format: "%08x%05x", 0x691f_0000 + lastID, changes)
    }

    static func eTag(modified: Int, inode: Int, size: Int) -> String {
        HashAlgorithm.md5.hash(Data("\(modified)\(inode)2049\(size)".utf8)).hexadecimal
    }
}
