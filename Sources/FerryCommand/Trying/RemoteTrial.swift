import FerryCore
import Foundation

/// Tries what a storage can do, in a folder of its own, which is removed at the end.
///
/// Each ability is tried by itself: one that fails doesn't keep the others from being tried.
struct RemoteTrial: Sendable {
    /// The outcome of trying one ability.
    enum Outcome: Sendable, Equatable {
        /// It works; with what else is worth knowing.
        case works(note: String? = nil)
        /// It does not do what it must.
        case fails(String)
        /// It could not be tried; with the reason.
        case untried(String?)
        /// The server or the line failed meanwhile, which says nothing about the ability.
        case interrupted(String)
    }

    /// An ability that is not as it must be.
    struct Wrong: Error {
        let words: String

        init(_ words: String) {
            self.words = words
        }
    }

    /// An ability that can't be tried.
    struct Untried: Error {
        let reason: String?

        init(_ reason: String? = nil) {
            self.reason = reason
        }
    }

    /// The storage, without a record of what is done.
    let storage: any Storage

    /// The folder in which everything happens.
    let folder: ItemPath

    /// Makes a trial; nothing is changed.
    ///
    /// - Parameter storage: The storage, without a record of what is done.
    init(_ storage: any Storage) {
        self.storage = storage
        folder = ItemPath.root.appending(".ferry-test-\(UUID().uuidString.prefix(8).lowercased())")
    }

    /// Tries abilities.
    ///
    /// - Parameter abilities: The names of those that the storage has by its own account.
    /// - Returns: The outcomes by name: of those that can be tried, and of the folder's removal under ``cleaningUp``.
    /// - Throws: `CancellationError`, after the folder was removed.
    func run(_ abilities: [String]) async throws -> [String: Outcome] {
        var outcomes: [String: Outcome] = [:]
        do {
            try await storage.create(folder: folder.lastName, at: folder.parent)
            for name in abilities {
                guard let attempt = attempts[name], !Task.isCancelled else { continue }
                outcomes[name] = await outcome { try await attempt() }
            }
        } catch {
            for name in abilities where attempts[name] != nil {
                outcomes[name] = .untried("there is no folder to try it in")
            }
            outcomes["write"] = isPassing(error) ? .interrupted(error.reasonInWords) : .fails(error.reasonInWords)
        }
        // The folder may be there even if making it has failed: an answer can be lost on its way.
        outcomes[Self.cleaningUp] = await uncancelled {
            await outcome {
                do {
                    try await storage.removeItem(path: folder)
                } catch let error as CocoaError where error.code == .fileNoSuchFile {}
                return nil
            }
        }
        try Task.checkCancellation()
        return outcomes
    }

    /// The name of the last step.
    static let cleaningUp = "remove the folder of this test"

    private func outcome(_ attempt: () async throws -> String?) async -> Outcome {
        do {
            return .works(note: try await attempt())
        } catch let error as Wrong {
            return .fails(error.words)
        } catch let error as Untried {
            return .untried(error.reason)
        } catch let error as CocoaError where error.code == .featureUnsupported {
            // A storage says by its protocols what it can do in general; some account or server may lack it.
            return .untried(error.reasonInWords)
        } catch let error where isPassing(error) {
            return .interrupted(error.reasonInWords)
        } catch {
            return .fails(error.reasonInWords)
        }
    }

    /// Returns whether an error says nothing about the ability; bytes that arrive changed do, though they may pass.
    private func isPassing(_ error: any Error) -> Bool {
        !error.isOtherContent && (RetryPolicy.isTransient(error) || error.isAnswerTimeOut)
    }

    /// The ways to try abilities, by name; each returns what is worth knowing beside that it works.
    private var attempts: [String: @Sendable () async throws -> String?] {
        [
            "write": tryWriting, "replace files atomically": tryReplacing,
            "create without replacing": tryCreating, "change only what is unchanged": tryConditions,
            "read parts of files": tryRanges, "copy and move on the server": tryTransfers, "keep dates": tryDates,
            "identifiers that survive a rename": tryIdentifiers, "search on the server": trySearching,
            "public links": tryLinks, "trash": tryTrash, "versions": tryVersions, "locks": tryLocks,
            "changes": tryChanges, "checksums": tryChecksums, "thumbnails": tryThumbnails,
            "uploads that go on": tryParts, "many small files at once": tryBulk,
        ]
    }

    // MARK: Files

    /// Returns a path in the folder.
    func path(_ name: String) -> ItemPath { folder.appending(name) }

    /// Writes a file, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, overwrite: Bool = false) async throws -> ItemPath {
        try await storage.writeContents(path: path(name), contents: Data(text.utf8), overwrite: overwrite)
        return path(name)
    }

    /// Fails unless a file has a text.
    func require(_ text: String, at path: ItemPath) async throws {
        guard try await storage.contents(path: path) == Data(text.utf8) else {
            throw Wrong("another content came back")
        }
    }

    /// Fails unless nothing is at a path.
    func requireNothing(at path: ItemPath) async throws {
        do {
            _ = try await storage.attributesOfItem(path: path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return
        }
        throw Wrong("the item is still there")
    }
}
