import Foundation

/// Removes an item so that it can come back.
struct UndoRemoval: Sendable {
    let storage: UndoStorage
    let ways: [UndoWay]

    /// The name that it would have where it is set aside.
    var name = ServerAside.name(now: Date())

    /// Removes.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - stamp: The state of the item; of a folder with all below it.
    /// - Returns: The steps that were done.
    /// - Throws: Why it can't be kept; then it is where it was.
    func remove(_ item: FileObject, _ stamp: ItemStamp) async throws -> [UndoStep] {
        if let kept = try await storage.takeAway(item, ways: ways, name: name) {
            return [.removed(item.path, stamp, kept)]
        }
        return try await removeCopied(item, stamp)
    }

    /// Copies it to this machine, with all below it, and only then removes it.
    private func removeCopied(_ item: FileObject, _ stamp: ItemStamp) async throws -> [UndoStep] {
        var steps: [UndoStep] = []
        do {
            try await copy(item, named: name, to: &steps)
            for step in steps {
                // One may have made room for the other.
                guard case .removed(let path, _, .shadow(let id)?) = step, let shadow = storage.shadow else { continue }
                if await !shadow.contains(id) { throw UndoRefusal(path, .notKept, underlying: "too large to be kept") }
            }
            guard let now = try await storage.look(item.path) else { throw CocoaError.noSuchItem(item.path) }
            let after = try await storage.stamp(now)
            guard stamp.matches(now), after.tree == stamp.tree else { throw UndoRefusal(item.path, .changed) }
            try await storage.base.removeItem(path: item.path)
        } catch {
            // It may be gone, and only the answer was lost: the copies go when it is seen to be there, and not in doubt.
            if (try? await storage.look(item.path)) != nil { await storage.discard(steps.compactMap(\.kept)) }
            throw error
        }
        return steps.reversed()
    }

    /// Notes an item, folders before what is in them: the other way round is how they go.
    private func copy(_ item: FileObject, named name: String?, to steps: inout [UndoStep]) async throws {
        switch item.type {
        case .directory:
            steps.append(.unmade(folder: item.path, ItemStamp(item)))
            for below in try await storage.base.contentsOfDirectory(path: item.path) {
                try await copy(below, named: nil, to: &steps)
            }
        case .symlink:
            steps.append(.removed(item.path, ItemStamp(item), .link(try await storage.linkText(item.path))))
        case .file:
            var stamp = ItemStamp(item)
            stamp.extendedAttributes = try await storage.extendedAttributes(item.path)
            steps.append(.removed(item.path, stamp, .shadow(try await storage.copyToShadow(item, name: name))))
        case .other: throw UndoRefusal(item.path, .notKept)
        }
    }
}
