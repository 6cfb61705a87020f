import FerryCore
import Foundation

// Replaced content comes back in place of what has replaced it.

extension UndoPerformer {
    /// Puts an old content back in place of the present one, which is kept.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - former: The file as it was.
    ///   - kept: Where the old content is.
    ///   - left: The present item as it was left; `nil` if that is not known.
    ///   - storage: The storage.
    ///   - name: The name under which the present content is kept.
    ///   - attempts: The names of earlier attempts that failed, and whose last request may still be carried out.
    ///   - loosely: `true` if kind, size and date are enough to know the present item again.
    /// - Returns: The steps that were done.
    /// - Throws: An error if the present content can't be kept, or the old one can't be brought back.
    func swap(
        _ path: ItemPath,
        _ former: ItemStamp,
        _ kept: KeptItem,
        _ left: ItemStamp?,
        on storage: UndoStorage,
        _ name: String,
        after attempts: [String],
        loosely: Bool
    ) async throws -> [UndoStep] {
        try await storage.learn()
        let item = try await storage.base.attributesOfItem(path: path)
        let plan = UndoPlan(.modify(path: path), onto: .file, abilities: storage.abilities)
        if let steps = try await exchange(item, former, kept, left, plan.ways, on: storage, name) { return steps }
        // The present content becomes a version where the old one does not come from elsewhere.
        let isWritten = kept.way == .version || kept == .emptyFile
        var (present, now): (ItemStamp, KeptItem)
        let earlier = try await keptUnder(attempts, on: storage)
        if case .shadow(let id)? = earlier {
            // One copy on this machine is enough: others would push out what is kept there.
            (present, now) = (ItemStamp(item), .shadow(id))
            present.extendedAttributes = try await storage.extendedAttributes(path)
        } else {
            (present, now) = try await storage.keepCopy(
                item,
                ways: plan.ways,
                UndoStorage.Replacement(isWritten: isWritten, date: former.modified),
                name: name
            )
        }
        // That request may have replaced it while it was copied.
        if !attempts.isEmpty { try await requireUnchanged(path, left ?? present, on: storage, loosely) }
        do {
            try await storage.bringBack(kept, to: path, former: former, left: left, overwrite: true)
        } catch {
            // The present content is where it was: nothing need be kept of it. Where that can't be seen, it is kept; also
            // where this request may still be carried out, or that of the attempt which has made the copy.
            if now != earlier, !error.mayStillBeDone, let item = try? await storage.look(path), present.matches(item) {
                await storage.discard([now])
            }
            throw error
        }
        return [.replaced(path, left: try await self.now(path, storage), former: present, now)]
    }

    /// The same where items are set aside on a server: the present content moves away, and the old one to the free place.
    ///
    /// So what somebody writes at that very moment is kept, or is in the way: a copy would lack it, and the old content
    /// would replace it.
    ///
    /// - Returns: The steps that were done; `nil` if that is no way here.
    private func exchange(
        _ item: FileObject,
        _ former: ItemStamp,
        _ kept: KeptItem,
        _ left: ItemStamp?,
        _ ways: [UndoWay],
        on storage: UndoStorage,
        _ name: String
    ) async throws -> [UndoStep]? {
        let path = item.path
        guard ways.first == .aside, !(storage.base is any FileProviderSettingAside), kept.way != .version,
            item.isRegularFile
        else { return nil }
        let aside: String
        do {
            aside = try await storage.setAside(path, copying: false, name: name)
        } catch let error as CancellationError {
            throw error
        } catch {
            // A server that can't move may still copy. If only the answer was lost, the next undoing finds it moved.
            guard try await storage.look(path) != nil, !UndoRetries.isPassing(error) else { throw error }
            return nil
        }
        do {
            try await storage.bringBack(kept, to: path, former: former, left: left, overwrite: false)
        } catch {
            // Where somebody has taken the place, the content stays kept, and that one's is not replaced. Why the old content
            // did not come says more than why this one can't go back; the next undoing looks where both are.
            await uncancelled { try? await storage.serverAside.bringBack(aside, to: path, overwrite: false) }
            throw error
        }
        return [.replaced(path, left: try await now(path, storage), former: ItemStamp(item), .aside(aside))]
    }
}
