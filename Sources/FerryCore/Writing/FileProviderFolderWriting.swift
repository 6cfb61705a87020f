/// A storage that takes a new folder together with small files in it, quicker than one after the other.
///
/// Everyone who sees the folder sees all of the files: so it is where a storage can't write a new file without the
/// danger that it replaces somebody else's, and has to look at each, or to move each from another name. In a folder
/// that nobody knows yet there is no such danger.
public protocol FileProviderFolderWriting: FileProviderBasic {
    /// The limits of what to hand over at once, for best speed and bounded memory; `nil` if it isn't quicker at this
    /// server, or as long as nobody has asked it what it is.
    var newFolderLimits: BulkLimits? { get }

    /// Makes a folder that has files in it from the start.
    ///
    /// - Parameters:
    ///   - path: The folder; its parent must exist.
    ///   - lanes: Files that are sent at the same time, at most.
    ///   - next: Asked for what is in the folder, for one portion after the other until one is empty, by several tasks at
    ///     the same time; of each file the path is directly in the folder, and another than those of all others.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has the folder's name; `.fileNoSuchFile` without a parent;
    ///   why one of the files can't be written; what `next` throws. Nothing is there then.
    func writeFolder(
        path: ItemPath,
        lanes: Int,
        files next: @escaping @Sendable () async throws -> [BulkFile]
    ) async throws
}

extension FileProviderFolderWriting {
    /// Makes a folder that has files in it from the start.
    ///
    /// - Parameters:
    ///   - path: The folder; its parent must exist.
    ///   - files: The files in it, not in folders below; each of another name.
    /// - Throws: As the method that asks for the files.
    public func writeFolder(path: ItemPath, files: [BulkFile]) async throws {
        let portions = Portions(files)
        try await writeFolder(path: path, lanes: capabilities.recommendedConcurrency) { await portions.next() }
    }
}

/// All files in one portion.
private actor Portions {
    private var files: [BulkFile]

    init(_ files: [BulkFile]) {
        self.files = files
    }

    func next() -> [BulkFile] {
        defer { files = [] }
        return files
    }
}
