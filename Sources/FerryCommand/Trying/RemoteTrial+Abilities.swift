import FerryCore
import Foundation

// Abilities that only some storages have.

extension RemoteTrial {
    func trySearching() async throws -> String? {
        let name = "needle \(folder.lastName.suffix(8)).txt"
        let path = try await write("ferry", to: name)
        let query = try FileQuery(parsing: "name CONTAINS 'needle'")
        var found: [ItemPath] = []
        for try await page in storage.searchFiles(path: folder, recursive: true, query: query).pages {
            found += page.map(\.path)
        }
        return found.contains(path) ? nil : "the new file is not in its index yet"
    }

    func tryLinks() async throws -> String? {
        guard let sharing = storage as? any FileProviderSharing else { throw Untried() }
        let path = try await write("ferry", to: "shared.txt")
        let link = try await sharing.publicLink(to: path, options: ShareOptions())
        let isListed = try await undoing {
            try await sharing.publicLinks(to: path).contains { $0.id == link.id }
        } by: {
            try await sharing.revoke(link)
        }
        guard isListed else { throw Wrong("the new link is not listed") }
        guard try await !sharing.publicLinks(to: path).contains(where: { $0.id == link.id }) else {
            throw Wrong("the link can't be revoked")
        }
        return nil
    }

    func tryTrash() async throws -> String? {
        guard let trash = storage as? any FileProviderTrash else { throw Untried() }
        let path = try await write("ferry", to: "trashed.txt")
        let item = try await trash.trashItem(path: path)
        try await requireNothing(at: path)
        try await trash.restoreFromTrash(item, to: nil)
        try await require("ferry", at: path)
        return nil
    }

    func tryVersions() async throws -> String? {
        guard let versions = storage as? any FileProviderVersioning else { throw Untried() }
        let path = path("version.txt")
        // Some servers keep one version of each second or so: an older one is kept for sure.
        let options = WriteOptions(
            modifiedDate: storage.capabilities.setsModifiedDate ? Date(timeIntervalSinceNow: -3_600) : nil
        )
        try await storage.writeStream(path: path, contents: DataChunks(Data("one".utf8)), length: 3, options: options)
        try await write("second", to: "version.txt", overwrite: true)
        guard let version = try await versions.versions(of: path).first else { throw Wrong("no version is listed") }
        guard try await versions.contentStream(of: version, path: path).collect() == Data("one".utf8) else {
            throw Wrong("another content came back")
        }
        try await versions.restore(version, of: path)
        try await require("one", at: path)
        return nil
    }

    func tryLocks() async throws -> String? {
        guard let locking = storage as? any FileProviderLocking else { throw Untried() }
        let path = try await write("ferry", to: "locked.txt")
        let lock = try await locking.lock(path: path, options: FileLockOptions())
        let isListed = try await undoing {
            try await locking.locks(on: path).contains { $0.token == lock.token }
        } by: {
            try await locking.unlock(lock)
        }
        return isListed ? nil : "locks are not listed"
    }

    func tryChanges() async throws -> String? {
        guard let tracking = storage as? any FileProviderChangeTracking else { throw Untried() }
        var anchor = try await tracking.currentAnchor()
        let path = try await write("ferry", to: "changed.txt")
        while true {
            let set = try await tracking.changes(since: anchor)
            for case .updated(let item, _) in set.changes where item.path == path { return nil }
            guard set.hasMore else { throw Wrong("the new file is not among the changes") }
            anchor = set.anchor
        }
    }

    func tryChecksums() async throws -> String? {
        let (one, same) = (try await write("ferry", to: "sum 1.txt"), try await write("ferry", to: "sum 2.txt"))
        let other = try await write("other", to: "sum 3.txt")
        var sums: [String?] = []
        for path in [one, same, other] { sums.append(try await checksum(of: path)) }
        if sums == [nil, nil, nil] { throw Untried("the server computes none") }
        guard let first = sums[0], first == sums[1], let last = sums[2], first != last else {
            throw Wrong("the checksums don't tell files apart")
        }
        return nil
    }

    /// Returns a checksum that the storage knows or computes, of the first kind that it has; `nil` if it has none.
    private func checksum(of path: ItemPath) async throws -> String? {
        let known = try await storage.attributesOfItem(path: path).extras[.checksums] ?? [:]
        if let sum = known.min(by: { $0.key.rawValue < $1.key.rawValue }) { return sum.value }
        guard let checksums = storage as? any FileProviderChecksums else { return nil }
        let own = storage.capabilities.checksumKinds.sorted { $0.rawValue < $1.rawValue }
        for kind in own + ChecksumKind.usual.filter({ !own.contains($0) }) {
            if let sum = try await checksums.checksum(kind, path: path) { return sum }
        }
        return nil
    }

    /// Does something, and then undoes what was done before, also if it fails or is cancelled.
    private func undoing<Value>(
        _ work: () async throws -> Value,
        by undo: @escaping @Sendable () async throws -> Void
    ) async throws -> Value {
        let value: Value
        do {
            value = try await work()
        } catch {
            await uncancelled { try? await undo() }
            throw error
        }
        try await undo()
        return value
    }

    func tryThumbnails() async throws -> String? {
        guard let extended = storage as? any ExtendedFileProvider else { throw Untried() }
        let path = path("picture.png")
        guard extended.thumbnailOfFileSupported(path: path), let picture = Data(base64Encoded: Self.picture) else {
            throw Untried()
        }
        try await storage.writeContents(path: path, contents: picture)
        let thumbnail = try await extended.thumbnailOfFile(path: path, options: nil)
        guard !thumbnail.data.isEmpty else { throw Wrong("the picture is empty") }
        return nil
    }

    /// A PNG of one pixel.
    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
}
