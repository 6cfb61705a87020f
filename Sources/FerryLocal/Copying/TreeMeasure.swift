import Foundation

/// Adds up what is in a folder and below it: how much there is to copy.
struct TreeMeasure {
    private let job: Job
    /// Of all files.
    private(set) var bytes: Int64 = 0
    /// Files, links and all else but folders.
    private(set) var files = 0
    /// These and folders.
    private(set) var items = 0

    private init(job: Job) {
        self.job = job
    }

    /// Adds up.
    ///
    /// Folders that can't be read count nothing: copying them will tell.
    ///
    /// - Parameters:
    ///   - top: The open folder; its position is as before.
    ///   - job: May end it, and says what is left out.
    /// - Returns: The sums.
    /// - Throws: `CancellationError`; what keeps a folder that was opened from being listed.
    static func tree(in top: Descriptor, job: Job) throws -> TreeMeasure {
        var folders = FolderStack(top, try top.status().identity)
        var levels: [RawNames] = []
        var measure = TreeMeasure(job: job)
        try measure.list(top, &levels)
        while let index = levels.indices.last {
            try job.check()
            guard let name = levels[index].popLast() else {
                levels.removeLast()
                if !levels.isEmpty { try folders.pop() }
                continue
            }
            guard let folder = try? folders.top.openFolder(name) else { continue }
            folders.push(folder, try folder.status().identity)
            try measure.list(folder, &levels)
        }
        try top.seek(0)
        return measure
    }

    private mutating func list(_ folder: Descriptor, _ levels: inout [RawNames]) throws {
        var below = RawNames()
        let parent = try folder.status()
        let entries = EntryReader(folder)
        while let entry = try entries.next() {
            items += 1
            if entry.format == S_IFDIR {
                below.append(entry.name)
            } else if let status = try folder.statusIfExists(of: entry.name) {
                if status.isFolder {
                    below.append(entry.name)
                } else if !status.isFile {
                    files += 1
                } else if !job.leavesOut(status, in: parent) {
                    files += 1
                    bytes += status.size
                }
            }
        }
        levels.append(below)
    }
}
