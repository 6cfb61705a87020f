import Foundation

/// The open folders on the way down a tree, of which only the innermost are kept open, however deep it is.
///
/// A folder that was closed is opened again through its child's `..`, and must then be the same one: nobody who moves a
/// folder meanwhile can lead us elsewhere.
struct FolderStack {
    private static let mostOpen = 32

    private var levels: [(folder: Descriptor?, identity: FileIdentity)] = []

    /// Begins at a folder.
    ///
    /// - Parameters:
    ///   - folder: The top of the tree.
    ///   - identity: The folder's own.
    init(_ folder: Descriptor, _ identity: FileIdentity) {
        levels = [(folder, identity)]
    }

    /// How many folders lead to the innermost, itself included.
    var depth: Int { levels.count }

    /// The innermost folder.
    var top: Descriptor {
        get throws(Errno) {
            guard let folder = levels.last?.folder else { throw Errno(ESTALE) }
            return folder
        }
    }

    /// Goes into a folder.
    mutating func push(_ folder: Descriptor, _ identity: FileIdentity) {
        levels.append((folder, identity))
        if levels.count > Self.mostOpen { levels[levels.count - 1 - Self.mostOpen].folder = nil }
    }

    /// Goes back to the folder above.
    ///
    /// - Throws: `ESTALE` when the folder was moved meanwhile.
    mutating func pop() throws(Errno) {
        guard let left = levels.popLast(), let above = levels.last, above.folder == nil else { return }
        guard let folder = left.folder else { throw Errno(ESTALE) }
        let parent = try folder.above()
        if try parent.status().identity != above.identity { throw Errno(ESTALE) }
        levels[levels.count - 1].folder = parent
    }
}
