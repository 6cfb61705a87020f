extension TreeSnapshot {
    /// Lists the folders whose eTag is another than before, level by level, several at the same time.
    ///
    /// - Parameter provider: The storage.
    /// - Returns: All that was listed, and what is below folders that are as they were.
    /// - Throws: The error of the first folder that can't be listed.
    func walk(_ provider: any FileProviderBasic) async throws -> (files: [FileObject], kept: [Entry]) {
        let below = Dictionary(grouping: entries, by: \.path.parent)
        let tags = Dictionary(entries.map { ($0.path, $0.folderTag) }) { first, _ in first }
        var files: [FileObject] = []
        var kept: [Entry] = []
        var level = [folder]
        while !level.isEmpty {
            let listed = try await Self.list(level, of: provider)
            level = []
            for file in listed {
                files.append(file)
                guard file.isDirectory else { continue }
                if let tag = file.eTag, tags[file.path] == tag {
                    var folders = [file.path]
                    while let folder = folders.popLast() {
                        for entry in below[folder] ?? [] {
                            kept.append(entry)
                            if entry.type == .directory { folders.append(entry.path) }
                        }
                    }
                } else {
                    level.append(file.path)
                }
            }
        }
        return (files, kept)
    }

    static func list(_ folders: [ItemPath], of provider: any FileProviderBasic) async throws -> [FileObject] {
        try await withThrowingTaskGroup(of: [FileObject].self) { group in
            var rest = folders[...]
            func listNext() {
                guard let folder = rest.popFirst() else { return }
                group.addTask { try await provider.contentsOfDirectory(path: folder) }
            }
            for _ in 0..<max(1, provider.capabilities.recommendedConcurrency) { listNext() }
            var files: [FileObject] = []
            while let listed = try await group.next() {
                files += listed
                listNext()
            }
            return files
        }
    }
}
