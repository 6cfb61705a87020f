import FerryCore
import Foundation
import NIOCore

/// Copies an item with all below it from one storage to another, item by item.
///
/// Files are streamed; links stay links. An item that fails is reported, and the others are copied.
struct TreeTransfer {
    /// Where to read.
    let source: any Storage

    /// Where to write.
    let target: any Storage

    /// Whether files may be replaced and folders merged into.
    let overwrite: Bool

    /// Counts bytes.
    var progress: Progress?

    /// Is told of an item that could not be copied; `source` and `target` say which.
    let report: (any Error) -> Void

    /// Bytes of all files of a tree: what a progress bar needs to know.
    ///
    /// - Parameter item: The top of the tree.
    /// - Returns: The sum, as far as it is known.
    /// - Throws: `CancellationError`.
    func totalSize(of item: FileObject) async throws -> Int64 {
        guard item.isDirectory else { return item.size ?? 0 }
        var sum: Int64 = 0
        for try await visit in TreeWalk(source, path: item.path) {
            if case .page(let items, _) = visit {
                for item in items where item.isRegularFile { sum += item.size ?? 0 }
            }
        }
        return sum
    }

    /// Copies.
    ///
    /// - Parameters:
    ///   - item: What to copy.
    ///   - destination: The copy's path.
    /// - Returns: Whether everything was copied.
    /// - Throws: What ends the whole work; an item's failure is reported instead.
    func copy(_ item: FileObject, to destination: ItemPath) async throws -> Bool {
        do {
            switch item.type {
            case .directory: return try await copyFolder(item, to: destination)
            case .file: try await copyFile(item, to: destination)
            case .symlink: try await copyLink(item, to: destination)
            case .other: throw CocoaError.unsupported("copying what is neither file, folder nor link", path: item.path)
            }
            return true
        } catch let error where Session.isEnd(error) {
            throw error
        } catch {
            report(error)
            return false
        }
    }

    private func copyFile(_ item: FileObject, to destination: ItemPath) async throws {
        let stream = try await source.contentStream(path: item.path)
        let options = WriteOptions(
            overwrite: overwrite,
            modifiedDate: item.modifiedDate,
            contentType: item.contentType
        )
        let counted = stream.map { [progress] chunk in
            progress?.completedUnitCount += Int64(chunk.readableBytes)
            return chunk
        }
        try await target.writeStream(path: destination, contents: counted, length: stream.facts.size, options: options)
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

    private func copyFolder(_ item: FileObject, to destination: ItemPath) async throws -> Bool {
        if try await existing(destination)?.isDirectory == true, overwrite || destination.isRoot {
            // Merged: files in it are replaced one by one.
        } else {
            try await target.create(folder: destination.lastName, at: destination.parent)
        }
        var isComplete = true
        var folders: [FileObject] = []
        for try await visit in TreeWalk(source, path: item.path, recursive: false) {
            switch visit {
            case .failure(let error, _):
                report(error)
                isComplete = false
            case .page(let items, _):
                folders += items.filter(\.isDirectory)
                for item in items where !item.isDirectory {
                    isComplete = try await copy(item, to: destination.appending(item.name)) && isComplete
                }
            }
        }
        for folder in folders {
            isComplete = try await copy(folder, to: destination.appending(folder.name)) && isComplete
        }
        return isComplete
    }

    private func existing(_ path: ItemPath) async throws -> FileObject? {
        do {
            return try await target.attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }
}
