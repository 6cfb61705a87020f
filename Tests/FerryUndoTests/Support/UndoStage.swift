import FerryCore
import FerryLocal
import FerryMemory
import FerryUndo
import Foundation

/// A storage that what is done on can be undone, in one of the ways there are.
final class UndoStage: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        /// With versions and a trash.
        case memory
        /// With a trash, and names that cost nothing.
        case local
        /// As a WebDAV server: it copies and moves, and keeps nothing.
        case server
        /// A storage that can't even copy: all is kept on this machine.
        case plain
    }

    typealias Files = FileProvider & FileProviderReadWriteProgressive & FileProviderUndoable

    let kind: Kind
    let folder: TemporaryFolder
    let files: any Files
    /// The storage itself, where nobody records.
    let behind: any FileProvider & FileProviderReadWriteProgressive
    let manager = FileUndoManager()
    let shadow: ShadowStore

    init(
        _ kind: Kind,
        policy: UndoPolicy = UndoPolicy(),
        shadowLimit: Int64 = 1 << 20,
        journal: (any UndoJournal)? = nil
    ) throws {
        self.kind = kind
        folder = try TemporaryFolder()
        shadow = ShadowStore(folder: folder.url.appending(path: "shadow"), limit: shadowLimit)
        switch kind {
        case .memory:
            let base = MemoryFileProvider()
            files = Self.undoable(base, manager, shadow, policy, journal)
            behind = base
        case .local:
            try folder.makeFolder("files")
            let base = folder.provider("files")
            files = Self.undoable(base, manager, shadow, policy, journal)
            behind = base
        case .server:
            let base = PlainFileProvider(MemoryFileProvider(), copiesOnServer: true)
            files = Self.undoable(base, manager, shadow, policy, journal)
            behind = base
        case .plain:
            let base = PlainFileProvider(MemoryFileProvider(), copiesOnServer: false)
            files = Self.undoable(base, manager, shadow, policy, journal)
            behind = base
        }
    }

    private static func undoable<Base: FileProvider & FileProviderReadWriteProgressive>(
        _ base: Base,
        _ manager: FileUndoManager,
        _ shadow: ShadowStore,
        _ policy: UndoPolicy,
        _ journal: (any UndoJournal)?
    ) -> any Files {
        UndoableFileProvider(base, undoManager: manager, shadow: shadow, policy: policy, journal: journal)
    }

    /// Makes files, past who records, with dates of long ago.
    func plant(_ tree: KeyValuePairs<String, String>) async throws {
        for (path, text) in tree {
            let path = try ItemPath(parsing: "/" + path)
            if path.string.hasSuffix("/") || text == "/" {
                try await behind.create(folder: path.lastName, at: path.parent, creatingParents: true)
                continue
            }
            if !path.parent.isRoot {
                try await behind.create(folder: path.parent.lastName, at: path.parent.parent, creatingParents: true)
            }
            let date = Date(timeIntervalSince1970: 1_000_000_000 + Double(text.utf8.count))
            try await behind.writeStream(
                path: path,
                contents: DataChunks(Data(text.utf8)),
                options: WriteOptions(overwrite: true, modifiedDate: date)
            )
        }
    }

    /// Returns what is there: of each file its content and its date.
    func tree() async throws -> [String: String] {
        var found: [String: String] = [:]
        for try await element in TreeWalk(files, path: .root) {
            switch element {
            case .page(let items, folder: _):
                for item in items {
                    if item.isDirectory {
                        found[item.path.string + "/"] = ""
                    } else if item.isSymbolicLink, let links = behind as? any FileProviderSymbolicLink {
                        found[item.path.string] = "-> " + (try await links.destination(ofSymbolicLink: item.path))
                    } else {
                        let text = String(decoding: try await files.contents(path: item.path), as: UTF8.self)
                        let date = item.modifiedDate.map { Int($0.timeIntervalSince1970) } ?? 0
                        // A file that was written a moment ago has no date to compare.
                        found[item.path.string] = text + (date < 1_500_000_000 ? " @\(date)" : "")
                    }
                }
            case .failure(let error, folder: _): throw error
            }
        }
        return found
    }
}

/// A storage that has no more than what every storage has.
struct PlainFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let copiesOnServer: Bool

    init(_ base: Base, copiesOnServer: Bool) {
        self.base = base
        self.copiesOnServer = copiesOnServer
    }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.copiesOnServer = copiesOnServer
        return capabilities
    }
}

extension PlainFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension PlainFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension PlainFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
