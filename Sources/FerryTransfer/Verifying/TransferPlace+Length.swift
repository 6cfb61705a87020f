import FerryCore
import Foundation

extension TransferPlace {
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
