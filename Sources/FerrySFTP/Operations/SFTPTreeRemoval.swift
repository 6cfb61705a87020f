import FerryCore
import Foundation

/// Removes a folder with all below it; links are removed, and not followed.
struct SFTPTreeRemoval: Sendable {
    /// Requests that are under way together.
    private static let ahead = 64

    let connection: SFTPConnection

    /// Called for each item that is gone.
    private let removed: @Sendable () throws -> Void

    /// Makes a removal.
    ///
    /// - Parameters:
    ///   - connection: The line.
    ///   - removed: Called for each item that is gone; any error that it throws ends the removal.
    init(_ connection: SFTPConnection, removed: @escaping @Sendable () throws -> Void = {}) {
        self.connection = connection
        self.removed = removed
    }

    /// Removes a folder.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: `SFTPRefusal`; what of it is gone by then stays so.
    func remove(folder: SFTPPath) async throws {
        var last: Set<[UInt8]> = []
        while true {
            let entries = try await entries(of: folder)
            if entries.isEmpty { break }
            let names = Set(entries.map(\.name))
            // An item that is listed again after it was removed, or said to be gone, would be so for ever.
            guard names != last else {
                throw SFTPRefusal(status: SFTPStatus(.failure, "items stay listed that are said to be gone"))
            }
            last = names
            try await remove(entries, in: folder)
        }
        try await connection.begin(.rmdir(folder)).success()
        try removed()
    }

    /// A part of what is in a folder: it is opened anew for each part, since removing may shift the others.
    private func entries(of folder: SFTPPath) async throws -> [SFTPNameEntry] {
        let handle = try await connection.begin(.opendir(folder)).handle(on: connection)
        var (entries, last): ([SFTPNameEntry], [SFTPNameEntry]) = ([], [])
        while entries.count < 4096 {
            guard let part = try await connection.begin(.readdir(handle.name)).entries(after: last) else { break }
            last = part
            entries += part.filter { !$0.isDots }
        }
        return entries
    }

    private func remove(_ entries: [SFTPNameEntry], in folder: SFTPPath) async throws {
        var folders: [SFTPPath] = []
        var removals: [SFTPPendingAnswer] = []
        for entry in entries {
            let path = folder.appending(entry.name)
            let kind: FileObject.Kind?
            if let known = entry.attributes.kind {
                kind = known
            } else {
                kind = try await connection.begin(.lstat(path)).attributesIfThere()?.kind
            }
            if kind == .directory {
                folders.append(path)
                continue
            }
            if removals.count >= Self.ahead { try await settle(removals.removeFirst()) }
            removals.append(connection.begin(.remove(path)))
        }
        for removal in removals { try await settle(removal) }
        for folder in folders {
            do {
                try await remove(folder: folder)
            } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
                // Somebody else has removed it meanwhile.
                try removed()
            }
        }
    }

    /// Waits for a removal; an item that somebody else has removed meanwhile is gone as well.
    private func settle(_ removal: SFTPPendingAnswer) async throws {
        do {
            try await removal.success()
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {}
        try removed()
    }
}
