public import FerryCore
import Foundation

/// A folder on a storage: where a transfer begins, or ends.
public struct TransferPlace: Sendable {
    /// A storage whose files can be read and written.
    public typealias Storage = FileProvider & FileProviderReadWriteProgressive

    /// The storage.
    public let storage: any Storage

    /// The folder.
    public let top: ItemPath

    /// Makes a place.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - top: The folder.
    public init(_ storage: any Storage, _ top: ItemPath = .root) {
        self.storage = storage
        self.top = top
    }

    /// An item below the folder.
    func path(_ relative: ItemPath) -> ItemPath { top.appending(path: relative) }

    /// Returns whether a path means the same item here and there.
    ///
    /// Two storages in memory have no URL to tell them apart: they are one only if they are the same object.
    ///
    /// - Parameter other: The other end of a transfer.
    /// - Returns: `false` also where nobody can tell.
    func isOnStorage(of other: TransferPlace) -> Bool {
        let (first, second) = (storage.innermost, other.storage.innermost)
        if (first as AnyObject) === (second as AnyObject) { return true }
        return first.baseURL != nil && first.isEqual(to: second)
    }
}

extension TransferPlace {
    /// Lets a storage find out what it can be relied on to do, where only asking tells it.
    ///
    /// One that doesn't answer is taken for one that can be relied on for nothing; what is done next says what is wrong.
    func learn() async throws {
        guard let storage = storage.innermost as? any FileProviderLearning else { return }
        do {
            try await storage.learnAboutServer()
        } catch let error as CancellationError {
            throw error
        } catch {
            return
        }
    }

    /// Lets a storage find out whether its listings leave something out, where that is not known.
    func learnAboutDotNames() async throws {
        guard !storage.capabilities.listsDotNames,
            let storage = storage.innermost as? any FileProviderDotNameLearning
        else { return }
        do {
            try await storage.learnAboutDotNames()
        } catch let error as CancellationError {
            throw error
        } catch {
            return  // then folders stay, and that is told
        }
    }
}
