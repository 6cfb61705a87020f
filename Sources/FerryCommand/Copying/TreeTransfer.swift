import FerryCore
import FerryLocal
import Foundation
import NIOCore

/// Copies an item with all below it from one storage to another, several files at a time.
///
/// Files are streamed; links stay links. An item that fails is reported, and the others are copied. Listing runs ahead
/// of the copying, and makes the folders, but only so far that memory stays bounded whatever the size of the tree.
struct TreeTransfer: Sendable {
    /// Where to read.
    let source: any Storage

    /// Where to write.
    let target: any Storage

    /// Whether files may be replaced and folders merged into.
    let overwrite: Bool

    /// Files that are copied at the same time, at least 1.
    var concurrency = 4

    /// Counts bytes.
    let tally: ByteTally

    /// Is told of an item that could not be copied, from any thread; `source` and `target` say which.
    let report: @Sendable (any Error) -> Void

    /// Files that may wait to be copied while listing goes on.
    private static let lookAhead = 2_000

    /// Bytes above which a file of this machine is handed over as such.
    private static let largeSize: Int64 = 8 << 20

    /// A file or link, and where its copy goes.
    private struct Job: Sendable {
        let item: FileObject
        let destination: ItemPath

        /// Bytes of a file that is worth being copied together with others.
        var smallSize: Int? {
            guard item.isRegularFile, let size = item.size, size <= 256 << 10 else { return nil }
            return Int(size)
        }
    }

    /// How far the listing is.
    private struct Lister: Sendable {
        var walk: TreeWalk.AsyncIterator
        /// The folder whose items came last; its copy exists.
        var folder: ItemPath
        let destinations: FolderDestinations
        /// What came last; `nil` at the end.
        var element: TreeWalk.Element?
    }

    /// What a task of the group has done.
    private enum Step: Sendable {
        case listed(Lister)
        /// Copied something; `false` if it failed.
        case copied(Bool)
    }

    /// Copies.
    ///
    /// - Parameters:
    ///   - item: What to copy.
    ///   - destination: The copy's path.
    /// - Returns: Whether everything was copied.
    /// - Throws: What ends the whole work; an item's failure is reported instead.
    func copy(_ item: FileObject, to destination: ItemPath) async throws -> Bool {
        let executor = EventLoopExecutor.preferred(for: source, target)
        return try await withTaskExecutorPreference(executor) { try await copyAll(item, to: destination) }
    }

    private func copyAll(_ item: FileObject, to destination: ItemPath) async throws -> Bool {
        guard item.isDirectory else {
            tally.find(item.size)
            tally.foundAll()
            return try await copyItem(Job(item: item, destination: destination))
        }
        return try await attempt { try await makeFolder(destination) }
            ? try await copyTree(below: item.path, to: destination) : false
    }

    /// Copies all that is in a folder whose copy exists already.
    private func copyTree(below top: ItemPath, to destination: ItemPath) async throws -> Bool {
        try await withThrowingTaskGroup(of: Step.self) { group in
            let walk = TreeWalk(source, path: top).makeAsyncIterator()
            var lister: Lister? = Lister(walk: walk, folder: top, destinations: FolderDestinations(top, destination))
            var waiting: ArraySlice<Job> = []
            var running = 0
            var isComplete = true
            while true {
                if waiting.count < Self.lookAhead, let next = lister.take() {
                    group.addTask { .listed(try await list(next)) }
                }
                while running < max(1, concurrency), let job = waiting.popFirst() {
                    running += 1
                    let bulk = takeBulk(job, &waiting)
                    group.addTask {
                        bulk.count > 1
                            ? .copied(try await copyFiles(bulk)) : .copied(try await copyItem(job))
                    }
                }
                switch try await group.next() {
                case nil: return isComplete
                case .copied(let isCopied):
                    running -= 1
                    isComplete = isComplete && isCopied
                case .listed(let next):
                    guard let element = next.element else {
                        tally.foundAll()
                        continue
                    }
                    isComplete = take(element, next, &waiting) && isComplete
                    lister = next
                }
            }
        }
    }

    /// Small files that the target takes in one go, as many as it likes.
    ///
    /// - Returns: The job, and those behind it that were taken out of `waiting`.
    private func takeBulk(_ job: Job, _ waiting: inout ArraySlice<Job>) -> [Job] {
        var bulk = [job]
        guard let limits = (target as? any FileProviderBulkWriting)?.bulkLimits, var count = job.smallSize else {
            return bulk
        }
        while bulk.count < limits.fileCount, let next = waiting.first, let size = next.smallSize,
            count + size <= limits.byteCount
        {
            count += size
            bulk.append(next)
            waiting.removeFirst()
        }
        return bulk
    }

    /// Copies small files in one go.
    private func copyFiles(_ jobs: [Job]) async throws -> Bool {
        guard let target = target as? any FileProviderBulkWriting else { return false }
        var isComplete = true
        var files: [BulkFile] = []
        for job in jobs {
            isComplete =
                try await attempt {
                    let contents = try await source.contents(path: job.item.path)
                    let date = job.item.modifiedDate
                    files.append(BulkFile(path: job.destination, contents: contents, modifiedDate: date))
                } && isComplete
        }
        do {
            for (file, result) in zip(files, try await target.writeFiles(files, overwrite: overwrite)) {
                isComplete = try await attempt { _ = try result.get() } && isComplete
                if case .success = result { tally.add(file.contents.count) }
            }
        } catch let error where !Session.isEnd(error) {
            report(error)
            return false
        }
        return isComplete
    }

    /// Lists on, and makes the folder that the items are in.
    private func list(_ lister: Lister) async throws -> Lister {
        var lister = lister
        lister.element = try await lister.walk.next()
        guard case .page(_, let folder) = lister.element, folder != lister.folder else { return lister }
        lister.destinations[lister.folder] = nil
        lister.folder = folder
        if let destination = lister.destinations[folder], try await !attempt({ try await makeFolder(destination) }) {
            lister.destinations[folder] = nil
        }
        return lister
    }

    /// Lets files wait for their copying, and folders for their listing.
    ///
    /// - Returns: Whether all of it can be copied.
    private func take(_ element: TreeWalk.Element, _ lister: Lister, _ waiting: inout ArraySlice<Job>) -> Bool {
        switch element {
        case .failure(let error, _):
            report(error)
            return false
        case .page(let items, let folder):
            // What is in a folder that could not be made has been told with it.
            guard let destination = lister.destinations[folder] else { return false }
            for item in items {
                let place = destination.appending(item.name)
                if item.isDirectory {
                    lister.destinations[item.path] = place
                } else {
                    tally.find(item.size)
                    waiting.append(Job(item: item, destination: place))
                }
            }
            return true
        }
    }

    /// Does one part of the work.
    ///
    /// - Parameter body: The part.
    /// - Returns: Whether it went well; else the reason was reported.
    /// - Throws: What ends the whole work.
    private func attempt(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return true
        } catch let error where Session.isEnd(error) {
            throw error
        } catch {
            report(error)
            return false
        }
    }

    private func copyItem(_ job: Job) async throws -> Bool {
        try await attempt {
            switch job.item.type {
            case .file: try await copyFile(job.item, to: job.destination)
            case .symlink: try await copyLink(job.item, to: job.destination)
            case .directory, .other:
                throw CocoaError.unsupported("copying what is neither file, folder nor link", path: job.item.path)
            }
        }
    }

    private func copyFile(_ item: FileObject, to destination: ItemPath) async throws {
        if let file = largeLocalFile(item) {
            return try await target.copyItem(
                localFile: file,
                to: destination,
                overwrite: overwrite,
                reporting: TallyingProgress(tally)
            )
        }
        let stream = try await source.contentStream(path: item.path)
        let options = WriteOptions(
            overwrite: overwrite,
            modifiedDate: item.modifiedDate,
            contentType: item.contentType
        )
        let counted = stream.map { [tally] chunk in
            tally.add(chunk.readableBytes)
            return chunk
        }
        try await target.writeStream(path: destination, contents: counted, length: stream.facts.size, options: options)
    }

    /// The URL of a file of this machine that is worth being sent in a way that can go on after a cut: a storage that
    /// knows the file itself can tell whether it is still the same, and send only what is missing.
    private func largeLocalFile(_ item: FileObject) -> URL? {
        guard source is LocalFileProvider, !(target is LocalFileProvider), let size = item.size, size > Self.largeSize,
            // What is no UTF-8 can't be in every URL.
            !item.path.string.utf8.contains(0xF4)
        else { return nil }
        return source.url(of: item.path)
    }

    private func copyLink(_ item: FileObject, to destination: ItemPath) async throws {
        guard let links = target as? any FileProviderSymbolicLink,
            let text = try await source.linkTarget(of: item)
        else { throw CocoaError.unsupported("a symbolic link", path: destination) }
        if overwrite, try await existing(destination)?.isSymbolicLink == true {
            try await target.removeItem(path: destination)
        }
        try await links.create(symbolicLink: destination, withDestination: text)
    }

    /// Makes a folder; one that exists is merged into, if that is allowed.
    private func makeFolder(_ path: ItemPath) async throws {
        if path.isRoot { return }
        do {
            try await target.create(folder: path.lastName, at: path.parent)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            guard overwrite, try await existing(path)?.isDirectory == true else { throw error }
        }
    }

    private func existing(_ path: ItemPath) async throws -> FileObject? {
        do {
            return try await target.attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }
}
