import FerryCore
import Foundation
import NIOCore

// Copies that have arrived damaged or in part, or with another length than was listed.

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
    ///   - retryState: Tries again what may go better the next time.
    /// - Throws: ``DamagedCopyError`` that says why it remains: never the reason itself, since what is there could then be
    ///   taken for a good copy whose answer got lost; ``ItemIdentity/changed(_:)``, and then it is left alone.
    func removeDamaged(at place: ItemPath, ifStill found: FileObject? = nil, _ retryState: RetryState) async throws {
        do {
            let isOther = try await uncancelled {
                try await retryState.retrying {
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

    /// Looks once more at a file of which another length comes than was listed: a file may have changed, while a page to log
    /// in, or an empty answer, is none.
    ///
    /// - Parameters:
    ///   - received: Bytes that come; `nil` if nobody knows yet.
    ///   - item: The file, as it was listed.
    /// - Throws: `URLError.wrongLength(expected:received:)`; what keeps it from being looked at.
    func requireLength(_ received: Int64?, of item: FileObject) async throws {
        // The content of a file of this machine is read from the file itself.
        guard isAway, let received, let listed = item.size, received != listed else { return }
        let now = try await storage.attributesOfItem(path: item.path)
        if let size = now.size, size != received { throw URLError.wrongLength(expected: size, received: received) }
    }

    /// Looks whether a storage at the other end of a line has all of a file: its word was that it has, and soon there may be
    /// no other.
    ///
    /// - Parameters:
    ///   - path: Where the copy is, from the top.
    ///   - original: The original of the copy.
    /// - Throws: `CocoaError.fileWriteUnknown` for one of another length; `CocoaError.fileNoSuchFile`; what keeps it from
    ///   being looked at.
    func requireCopy(at path: ItemPath, of original: FileObject) async throws {
        guard isAway, original.isRegularFile, let size = original.size else { return }
        let copy = try await storage.attributesOfItem(path: self.path(path))
        guard UnseenCopy(length: size).agrees(with: copy) else {
            throw CocoaError.otherCopy(copy.path, sent: size, found: copy)
        }
    }
}
