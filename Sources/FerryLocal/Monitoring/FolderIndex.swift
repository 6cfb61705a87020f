/// The folders of a tree and the names of the files in them, in little memory: no folder has its path.
///
/// Folders are known by numbers, which are given again only after ``reuseNumbers()``.
struct FolderIndex {
    /// A folder's number.
    typealias ID = UInt32

    /// A name without its NUL.
    typealias Name = ArraySlice<UInt8>

    /// The tree's top.
    static let root: ID = 0
    private static let none = UInt32.max

    private struct Folder {
        var parent: ID
        var firstChild = none
        var next = none
        var previous = none
        var nameStart: UInt32
        /// The number by which the system reports events of the folder; -1 if it reports none.
        var watch: Int32 = -1
        var nameLength: UInt8
        var isGone = false
        var isUnlisted = false
    }

    private var folders: ContiguousArray<Folder>
    private var names: ContiguousArray<UInt8> = []
    private var byName = SlotTable()
    private var byWatch = SlotTable()
    private var files = KnownFiles()
    private var free: [ID] = []
    private var gone: [ID] = []
    /// Bytes of names that nothing has any more.
    private var waste = 0

    /// Makes an index of an empty folder.
    init() {
        folders = [Folder(parent: Self.none, nameStart: 0, nameLength: 0)]
    }

    /// How many folders there are.
    var folderCount: Int { folders.count - free.count - gone.count }

    /// How many files there are, and some of folders that have gone.
    var fileCount: Int { files.count }

    /// Bytes that it takes.
    var footprint: Int {
        folders.capacity * MemoryLayout<Folder>.stride + names.capacity + byName.footprint + byWatch.footprint
            + files.footprint + (free.capacity + gone.capacity) * MemoryLayout<ID>.stride
    }

    /// Gives back what growing has taken too much.
    mutating func trim() {
        var exact: ContiguousArray<Folder> = []
        exact.reserveCapacity(folders.count)
        exact.append(contentsOf: folders)
        folders = exact
        compactNames()
    }
}

// MARK: - Folders

extension FolderIndex {
    /// Returns whether a folder is still there.
    func isThere(_ id: ID) -> Bool { Int(id) < folders.count && !folders[Int(id)].isGone }

    /// The folder that holds a folder; `nil` of the top.
    func parent(of id: ID) -> ID? {
        let parent = folders[Int(id)].parent
        return parent == Self.none ? nil : parent
    }

    /// A folder's name; empty of the top.
    func name(of id: ID) -> Name {
        let folder = folders[Int(id)]
        let start = Int(folder.nameStart)
        return Array(names[start..<start + Int(folder.nameLength)])[...]
    }

    /// Returns whether one folder is another, or is in it, however deep.
    func isOrIsBelow(_ id: ID, _ top: ID) -> Bool {
        var id: ID? = id
        while let folder = id {
            if folder == top { return true }
            id = parent(of: folder)
        }
        return false
    }

    /// The bytes of the names that lead to a folder, with slashes between them; none for the top.
    func path(of id: ID) -> [UInt8] {
        var chain: [ID] = []
        var id = id
        while let parent = parent(of: id) {
            chain.append(id)
            id = parent
        }
        var path: [UInt8] = []
        for id in chain.reversed() {
            if !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path += name(of: id)
        }
        return path
    }

    /// The folder of a name in a folder.
    func folder(_ name: Name, in parent: ID) -> ID? {
        byName.find(Self.hash(name, parent)) { hasName($0, name, parent) }
    }

    /// The folder that names lead to from the top.
    func folder(at path: [UInt8]) -> ID? {
        var id = Self.root
        for name in path.split(separator: UInt8(ascii: "/")) {
            guard let next = folder(name, in: id) else { return nil }
            id = next
        }
        return id
    }

    /// Adds a folder that is not there.
    mutating func insert(folder name: Name, in parent: ID) -> ID {
        let start = store(name)
        let folder = Folder(parent: parent, nameStart: start, nameLength: UInt8(truncatingIfNeeded: name.count))
        let id: ID
        if let old = free.popLast() {
            id = old
            folders[Int(id)] = folder
        } else {
            id = ID(folders.count)
            folders.append(folder)
        }
        link(id)
        return id
    }

    /// Gives a folder another place, where none is.
    mutating func move(_ id: ID, to parent: ID, _ name: Name) {
        unlink(id)
        waste += Int(folders[Int(id)].nameLength)
        let start = store(name)
        folders[Int(id)].nameStart = start
        folders[Int(id)].nameLength = UInt8(truncatingIfNeeded: name.count)
        folders[Int(id)].parent = parent
        link(id)
    }

    /// Takes out a folder with all below it.
    ///
    /// - Returns: The numbers by which the system reports events of the watched ones.
    mutating func remove(_ id: ID) -> [Int32] {
        unlink(id)
        return removeAll([id])
    }

    private mutating func removeAll(_ tops: [ID]) -> [Int32] {
        var watches: [Int32] = []
        var open = tops
        while let id = open.popLast() {
            let below = children(of: id)
            // The one above is unlinked already.
            for child in below { unlink(child) }
            open += below
            if folders[Int(id)].watch >= 0 { watches.append(folders[Int(id)].watch) }
            setWatch(-1, of: id)
            waste += Int(folders[Int(id)].nameLength)
            folders[Int(id)].isGone = true
            gone.append(id)
        }
        return watches
    }

    /// The folders in a folder.
    func children(of id: ID) -> [ID] {
        var children: [ID] = []
        var child = folders[Int(id)].firstChild
        while child != Self.none {
            children.append(child)
            child = folders[Int(child)].next
        }
        return children
    }

    /// Lets numbers of folders that have gone be given again: nobody has kept one.
    mutating func reuseNumbers() {
        // Each time looks at all files: not for every single folder.
        guard gone.count > 1_024 || gone.count > folderCount / 4 else { return }
        let old = Set(gone)
        files.removeAll { old.contains($0) }
        free += gone
        gone = []
        if waste > names.count / 2 { compactNames() }
    }
}

// MARK: - The system's numbers of folders

extension FolderIndex {
    /// Returns what the system calls a folder when it tells of it; -1 if it won't.
    func watch(of id: ID) -> Int32 { folders[Int(id)].watch }

    /// The folder that the system tells of.
    func folder(watched watch: Int32) -> ID? {
        byWatch.find(Self.hash(watch)) { folders[Int($0)].watch == watch }
    }

    /// Remembers what the system calls a folder.
    ///
    /// - Parameters:
    ///   - watch: The system's number; -1 if it won't tell of it.
    ///   - id: The folder.
    mutating func setWatch(_ watch: Int32, of id: ID) {
        let old = folders[Int(id)].watch
        if old == watch { return }
        // No copy of the folders is held while they change: it would become a real one.
        if old >= 0 { forget(watch: old, of: id) }
        folders[Int(id)].watch = watch
        if watch >= 0 { remember(watch: watch, of: id) }
    }

    private mutating func forget(watch: Int32, of id: ID) {
        let folders = folders
        byWatch.remove(id, Self.hash(watch)) { Self.hash(folders[Int($0)].watch) }
    }

    private mutating func remember(watch: Int32, of id: ID) {
        let folders = folders
        byWatch.insert(id, Self.hash(watch)) { Self.hash(folders[Int($0)].watch) }
    }

    /// Returns whether a folder is still to be listed.
    func isUnlisted(_ id: ID) -> Bool { folders[Int(id)].isUnlisted }
}

// MARK: - Files

extension FolderIndex {
    /// Returns whether a file is known.
    func hasFile(_ name: Name, in folder: ID) -> Bool { files.contains(name, in: folder) }

    /// Adds a file.
    ///
    /// - Returns: `true` if it was not known.
    mutating func insert(file name: Name, in folder: ID) -> Bool { files.insert(name, in: folder) }

    /// Takes a file out.
    ///
    /// - Returns: `true` if it was known.
    mutating func remove(file name: Name, in folder: ID) -> Bool { files.remove(name, in: folder) }
}

// MARK: - Inside

extension FolderIndex {
    private static func hash(_ name: some Sequence<UInt8>, _ parent: ID) -> Int {
        var hasher = Hasher()
        hasher.combine(parent)
        hasher.combine(name: name)
        return hasher.finalize()
    }

    private static func hash(_ watch: Int32) -> Int {
        // They are given one after the other: as good as mixed.
        Int(watch)
    }

    private static func hash(_ id: ID, _ folders: ContiguousArray<Folder>, _ names: ContiguousArray<UInt8>) -> Int {
        let folder = folders[Int(id)]
        let start = Int(folder.nameStart)
        return hash(names[start..<start + Int(folder.nameLength)], folder.parent)
    }

    private func hasName(_ id: ID, _ name: Name, _ parent: ID) -> Bool {
        let folder = folders[Int(id)]
        guard folder.parent == parent, Int(folder.nameLength) == name.count else { return false }
        let start = Int(folder.nameStart)
        return names[start..<start + name.count].elementsEqual(name)
    }

    private mutating func store(_ name: Name) -> UInt32 {
        if waste > 1 << 16, waste > names.count / 2 { compactNames() }
        defer { names.append(contentsOf: name) }
        return UInt32(names.count)
    }

    private mutating func compactNames() {
        var exact: ContiguousArray<UInt8> = []
        exact.reserveCapacity(max(0, names.count - waste))
        for index in folders.indices where !folders[index].isGone {
            let start = Int(folders[index].nameStart)
            folders[index].nameStart = UInt32(exact.count)
            exact.append(contentsOf: names[start..<start + Int(folders[index].nameLength)])
        }
        for id in gone + free {
            folders[Int(id)].nameStart = 0
            folders[Int(id)].nameLength = 0
        }
        names = exact
        waste = 0
    }

    /// Puts a folder among those of its parent.
    private mutating func link(_ id: ID) {
        let parent = Int(folders[Int(id)].parent)
        let first = folders[parent].firstChild
        folders[Int(id)].previous = Self.none
        folders[Int(id)].next = first
        if first != Self.none { folders[Int(first)].previous = id }
        folders[parent].firstChild = id
        rememberName(of: id)
    }

    private mutating func rememberName(of id: ID) {
        let (folders, names) = (folders, names)
        byName.insert(id, Self.hash(id, folders, names)) { Self.hash($0, folders, names) }
    }

    private mutating func forgetName(of id: ID) {
        let (folders, names) = (folders, names)
        byName.remove(id, Self.hash(id, folders, names)) { Self.hash($0, folders, names) }
    }

    private mutating func unlink(_ id: ID) {
        forgetName(of: id)
        let folder = folders[Int(id)]
        if folder.next != Self.none { folders[Int(folder.next)].previous = folder.previous }
        if folder.previous != Self.none {
            folders[Int(folder.previous)].next = folder.next
        } else {
            folders[Int(folder.parent)].firstChild = folder.next
        }
        folders[Int(id)].next = Self.none
        folders[Int(id)].previous = Self.none
    }
}
