import FerryCore
import Foundation

/// Reads a folder page by page.
///
/// For one thread at a time.
final class FolderReader: @unchecked Sendable {  // a listing asks for one page after the other
    private let path: ItemPath
    private let base: BaseFolder
    private var opened: (folder: Descriptor, entries: EntryReader)?

    /// Items of a page.
    private static let pageSize = 1_000

    /// Prepares; nothing is opened before the first page.
    ///
    /// - Parameters:
    ///   - path: The folder; a link to one will do.
    ///   - base: Where the path begins.
    init(_ path: ItemPath, in base: BaseFolder) {
        self.path = path
        self.base = base
    }

    /// The next items.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: `CocoaError.fileNoSuchFile`, `CocoaError.notAFolder(_:whileWriting:)`, `.fileReadNoPermission`, and what
    ///   keeps the rest from being read.
    func nextPage() throws -> [FileObject]? {
        let (folder, entries) = try open()
        do {
            var page: [FileObject] = []
            while page.count < Self.pageSize, let entry = try entries.next() {
                // An item that vanished between these calls has no attributes, and is not there.
                guard let status = try folder.statusIfExists(of: entry.name) else { continue }
                page.append(FileObject(name: String(rawName: entry.name), in: path, status: status))
            }
            return page.isEmpty ? nil : page
        } catch {
            throw error.mapped(.reading, path)
        }
    }

    private func open() throws -> (Descriptor, EntryReader) {
        if let opened { return opened }
        do {
            let folder = try base.open(path, O_RDONLY | O_DIRECTORY)
            let opened = (folder, EntryReader(folder, bufferSize: 64 * 1024))
            self.opened = opened
            return opened
        } catch {
            // Of `/file/x`, the file is not what was asked for.
            let isItself = error.code == ENOTDIR && base.exists(path)
            throw error.mapped(isItself ? .listing : .reading, path)
        }
    }
}
