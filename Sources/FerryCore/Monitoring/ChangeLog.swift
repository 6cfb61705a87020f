/// Changes that nobody has read yet, told in few: bounded, whatever happens.
///
/// - A `modified` or `attributes` right behind a change of the same item that says as much is left out.
/// - A file that was made and then moved is made where it is in the end; if it has replaced another there, as programs do
///   that save a file safely, that one is modified.
/// - When too many wait, all of them become one `rescan`.
struct ChangeLog {
    private let path: ItemPath
    private let limit: Int
    /// Without those that another change has made needless.
    private var changes: [FileChange?] = []
    /// Where the next one to read may be.
    private var first = 0
    /// How many are to be read.
    private(set) var count = 0
    /// Where the last change of an item is, and whether the item is known to be a file.
    private var latest: [ItemPath: (index: Int, isFile: Bool)] = [:]

    /// Makes an empty log.
    ///
    /// - Parameters:
    ///   - path: The watched item.
    ///   - limit: Changes to be kept, at most.
    init(path: ItemPath, limit: Int) {
        self.path = path
        self.limit = max(1, limit)
    }

    /// Takes out what happened first.
    mutating func popFirst() -> FileChange? {
        while first < changes.count {
            defer { first += 1 }
            if let change = changes[first] {
                count -= 1
                return change
            }
        }
        removeAll()
        return nil
    }

    /// Forgets everything.
    mutating func removeAll() {
        changes = []
        first = 0
        count = 0
        latest = [:]
    }

    /// Adds what happened next.
    mutating func append(_ noted: NotedChange) {
        let path = noted.change.path
        switch noted.change.kind {
        case .modified:
            switch last(of: path) {
            case .created, .modified: return
            case .attributes: drop(path)
            default: break
            }
        case .attributes:
            switch last(of: path) {
            case .created, .modified, .attributes: return
            default: break
            }
        case .removed:
            switch last(of: path) {
            case .modified, .attributes: drop(path)
            default: break
            }
        case .moved(let previous):
            if noted.isFile, last(of: previous) == .created, latest[previous]?.isFile == true {
                drop(previous)
                return append(NotedChange(FileChange(noted.replaces ? .modified : .created, path: path), isFile: true))
            }
        case .created, .rescan:
            break
        }
        add(noted)
    }

    /// Returns what happened to an item last, and was not read yet.
    private func last(of path: ItemPath) -> FileChange.Kind? {
        guard let index = latest[path]?.index, index >= first else { return nil }
        return changes[index]?.kind
    }

    /// Leaves out what happened to an item last.
    private mutating func drop(_ path: ItemPath) {
        guard let index = latest.removeValue(forKey: path)?.index, index >= first, changes[index] != nil else { return }
        changes[index] = nil
        count -= 1
    }

    private mutating func add(_ noted: NotedChange) {
        if count >= limit {
            removeAll()
            add(NotedChange(FileChange(.rescan, path: path)))
        } else if changes.count >= 2 * limit {
            changes.removeFirst(first)
            changes.removeAll { $0 == nil }
            first = 0
            latest = [:]
        }
        if !noted.isFile {
            switch noted.change.kind {
            // Changes of items below have no meaning after a change of their folder.
            case .removed, .moved, .rescan: latest = [:]
            case .created, .modified, .attributes: break
            }
        } else if case .moved(let previous) = noted.change.kind {
            latest[previous] = nil
        }
        latest[noted.change.path] = (changes.count, noted.isFile)
        changes.append(noted.change)
        count += 1
    }
}
