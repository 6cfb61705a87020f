import FerryCore
import Foundation
import Synchronization

/// Sets items aside on any storage that copies and moves by itself: in a hidden folder at its top.
struct ServerAside: Sendable {
    let base: any FileProviderOperations

    /// Indicates whether the folder is known to be there.
    let folder: Milestone

    /// Something that is reached once.
    final class Milestone: Sendable {
        private let flag = Atomic(false)

        var isReached: Bool { flag.load(ordering: .relaxed) }
        func reach() { flag.store(true, ordering: .relaxed) }
        func forget() { flag.store(false, ordering: .relaxed) }
    }

    /// The hidden folder.
    static let folder: ItemPath = "/.ferry-undo"

    /// Returns whether an item is the hidden folder, or in it; also under the name that it has while it is removed.
    static func holds(_ path: ItemPath) -> Bool {
        if path == folder || path.isBelow(folder) { return true }
        guard path.description.utf8.starts(with: partingStart.utf8), let top = path.components.first else {
            return false
        }
        return UUID(uuidString: String(top.dropFirst(partingStart.count - 1))) != nil
    }

    /// The start of the name that the folder has while it is removed; a UUID follows.
    private static let partingStart = folder.description + "-"

    func setAside(path: ItemPath, name: String, copying: Bool) async throws -> String {
        if folder.isReached {
            do {
                return try await put(path, name, copying: copying)
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                folder.forget()  // somebody has removed it meanwhile; or the item
            }
        }
        for attempt in 1... {
            try await base.create(folder: Self.folder.lastName, at: .root, creatingParents: true)
            folder.reach()
            do {
                return try await put(path, name, copying: copying)
            } catch let error as CocoaError where error.code == .fileNoSuchFile && attempt < 3 {
                // Somebody has removed the folder since, which was empty; or the item is gone.
                folder.forget()
                if try await base.attributesIfExists(path: path) == nil { throw error }
            }
        }
        throw CocoaError(.fileNoSuchFile)
    }

    private func put(_ path: ItemPath, _ name: String, copying: Bool) async throws -> String {
        if copying {
            try await base.copyItem(path: path, to: Self.folder.appending(name))
        } else {
            try await base.moveItem(path: path, to: Self.folder.appending(name))
        }
        return name
    }

    /// A name that tells when it was made (RFC 9562, UUID of version 7).
    static func name(now: Date) -> String {
        let milliseconds = UInt64(max(0, now.timeIntervalSince1970) * 1_000)
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { bytes in
            for index in 0..<6 { bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (8 * (5 - UInt64(index)))) }
            bytes[6] = 0x70 | (bytes[6] & 0x0F)
        }
        return UUID(uuid: bytes).uuidString
    }

    /// When a name was made; `nil` for one that does not tell.
    static func date(of name: String) -> Date? {
        guard let id = UUID(uuidString: name)?.uuid, id.6 >> 4 == 7 else { return nil }
        let milliseconds = [id.0, id.1, id.2, id.3, id.4, id.5].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    func bringBack(_ id: String, to target: ItemPath, overwrite: Bool) async throws {
        try await base.moveItem(path: Self.folder.appending(id), to: target, overwrite: overwrite)
    }

    func isSetAside(_ id: String) async throws -> Bool {
        try await base.attributesIfExists(path: Self.folder.appending(id)) != nil
    }

    func items() async throws -> [SetAsideItem] {
        guard try await base.attributesIfExists(path: Self.folder) != nil else { return [] }
        return try await base.contentsOfDirectory(path: Self.folder).map {
            SetAsideItem(id: $0.name, date: Self.date(of: $0.name), item: $0)
        }
    }

    /// Removes the folder if nothing is in it.
    ///
    /// Somebody may be about to put something in: so it gets another name first, under which nobody does, and if it is not
    /// empty then, what is in it goes back. What a process left that was killed in between is removed, too.
    ///
    /// - Returns: `true` if it is gone.
    func removeIfEmpty() async throws -> Bool {
        var isThere = false
        var parting: [ItemPath] = []
        for try await page in base.directoryListing(path: .root) {
            for item in page where Self.holds(item.path) {
                if item.path == Self.folder { isThere = true } else { parting.append(item.path) }
            }
        }
        var failure: (any Error)?
        for path in parting {
            do {
                if try await !remove(parting: path) { isThere = true }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        guard isThere else { return true }
        guard try await base.contentsOfDirectory(path: Self.folder).isEmpty else { return false }
        let path = ItemPath.root.appending(Self.partingStart.dropFirst() + UUID().uuidString.lowercased())
        folder.forget()
        try await base.moveItem(path: Self.folder, to: path)
        return try await remove(parting: path)
    }

    /// Removes a folder that has got the name under which it goes; what is in it goes back.
    ///
    /// - Returns: `true` if nothing was in it.
    private func remove(parting path: ItemPath) async throws -> Bool {
        do {
            let late = try await base.contentsOfDirectory(path: path)
            if !late.isEmpty {
                try await base.create(folder: Self.folder.lastName, at: .root, creatingParents: true)
                for item in late { try await base.moveItem(path: item.path, to: Self.folder.appending(item.name)) }
                guard try await base.contentsOfDirectory(path: path).isEmpty else { return false }
            }
            try await base.removeItem(path: path)
            return late.isEmpty
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return true  // another process removes it as well
        }
    }

    /// Removes items; the folder stays, since somebody may be about to put something in.
    func discard(_ ids: [String]) async throws {
        var failure: (any Error)?
        for id in ids {
            do {
                try await base.removeItem(path: Self.folder.appending(id))
            } catch let error as CocoaError where error.code == .fileNoSuchFile {
                continue
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}
