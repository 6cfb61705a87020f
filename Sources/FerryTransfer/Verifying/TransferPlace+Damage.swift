import FerryCore
import Foundation
import NIOCore

// Copies that have arrived damaged, or in part.

extension TransferPlace {
    /// Returns whether a file is the beginning of another, and nothing else: a copy that has broken off.
    ///
    /// - Parameters:
    ///   - item: The file.
    ///   - original: The other.
    ///   - source: Where the other is.
    /// - Returns: `true` if all of it is the beginning of the other.
    /// - Throws: Any error that the storages throw.
    func isBeginning(_ item: FileObject, of original: FileObject, at source: TransferPlace) async throws -> Bool {
        guard item.isRegularFile, original.isRegularFile, item.size ?? 0 < original.size ?? .max else { return false }
        var all = try await source.storage.contentStream(path: original.path).makeAsyncIterator()
        var expected = ByteBuffer()
        for try await chunk in try await storage.contentStream(path: item.path) {
            var chunk = chunk
            while chunk.readableBytes > 0 {
                if expected.readableBytes == 0 {
                    guard let next = try await all.next() else { return false }
                    expected = next
                }
                let count = min(chunk.readableBytes, expected.readableBytes)
                guard chunk.readSlice(length: count) == expected.readSlice(length: count) else { return false }
            }
        }
        if expected.readableBytes > 0 { return true }
        return try await all.next() != nil
    }

    /// Removes a damaged copy, also for who is cancelled meanwhile.
    ///
    /// - Parameters:
    ///   - place: Where it is; nothing may be there any more.
    ///   - found: The item that was found there, if somebody else may have put another there since; `nil` for one that
    ///     the storage has reported as ours.
    ///   - patience: Tries again what may go better the next time.
    /// - Throws: ``DamagedCopyError`` that says why it remains: never the reason itself, since what is there could then be
    ///   taken for a good copy whose answer got lost; ``ItemIdentity/changed(_:)``, and then it is left alone.
    func removeDamaged(at place: ItemPath, ifStill found: FileObject? = nil, _ patience: Patience) async throws {
        do {
            let isOther = try await uncancelled {
                try await patience.retrying {
                    if let found, try await !ItemIdentity.isSame(storage.attributesOfItem(path: place), found) {
                        return true
                    }
                    try await storage.removeItem(path: place)
                    return false
                }
            }
            guard isOther else { return }
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        } catch {
            throw DamagedCopyError(path: place, remains: error)
        }
        throw ItemIdentity.changed(place)
    }
}
