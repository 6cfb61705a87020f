import FerryCore
import Foundation
import Synchronization

extension MediaFileProvider where Base: FileProviderReadWrite {
    /// Bytes that a file may have on a storage that gives only all of it.
    private static var mostOfWhole: Int64 { 64 << 20 }

    /// A file, and a way to its contents; nothing is read yet.
    func source(_ item: FileObject) throws -> MediaSource {
        guard base.capabilities.readsRanges else { return try whole(item) }
        return MediaSource(item: item) { [base] range in
            let offsets = range.resolved(size: item.size ?? .max)
            return try await base.contents(
                path: item.path,
                offset: offsets.lowerBound,
                length: Int64(offsets.count),
                reporting: nil
            )
        }
    }

    /// The file at a path; if a link is there, with the size of what it leads to.
    func file(at path: ItemPath) async throws -> FileObject {
        var item = try await base.attributesOfItem(path: path)
        if item.isDirectory { throw CocoaError.isAFolder(path) }
        guard item.isSymbolicLink else { return item }
        item.size = nil
        if let streaming = base as? any FileProviderReadWriteProgressive {
            item.size = try await streaming.contentStream(path: path, range: .bytes(0..<1), reporting: nil).facts.size
        }
        return item
    }

    private func whole(_ item: FileObject) throws -> MediaSource {
        guard item.size ?? 0 <= Self.mostOfWhole else {
            throw CocoaError.file(
                .fileReadTooLarge,
                path: item.path,
                description: "this storage gives only whole files, and it has more than 64 MiB"
            )
        }
        let contents = WholeContents { [base] in try await base.contents(path: item.path, reporting: nil) }
        return MediaSource(item: item) { range in
            let data = try await contents.data()
            let offsets = range.resolved(size: Int64(data.count))
            return data.dropFirst(Int(offsets.lowerBound)).prefix(offsets.count)
        }
    }
}

/// The contents of a file, read at once when the first part is needed.
private final class WholeContents: Sendable {
    private let read: @Sendable () async throws -> Data
    private let kept = Mutex<Data?>(nil)

    init(_ read: @escaping @Sendable () async throws -> Data) {
        self.read = read
    }

    func data() async throws -> Data {
        if let data = kept.withLock({ $0 }) { return data }
        let data = try await read()
        kept.withLock { $0 = data }
        return data
    }
}
