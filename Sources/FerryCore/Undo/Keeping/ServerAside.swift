import Foundation

/// Sets items aside on any storage that copies and moves by itself: in a hidden folder at its top.
struct ServerAside: Sendable {
    let base: any FileProviderOperations

    /// The hidden folder.
    static let folder: ItemPath = "/.ferry-undo"

    func setAside(path: ItemPath, name: String, copying: Bool) async throws -> String {
        try await base.create(folder: Self.folder.lastName, at: .root, creatingParents: true)
        if copying {
            try await base.copyItem(path: path, to: Self.folder.appending(name))
        } else {
            try await base.moveItem(path: path, to: Self.folder.appending(name))
        }
        return name
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
            SetAsideItem(id: $0.name, date: nil, item: $0)
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

extension FileProviderBasic {
    /// What is there, or `nil` if nothing is.
    func attributesIfExists(path: ItemPath) async throws -> FileObject? {
        do {
            return try await attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return nil
        }
    }
}
