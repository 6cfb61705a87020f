import ArgumentParser
import FerryCore
import Foundation

/// `ferry rm`: items that are no longer wanted.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Remove files, links and folders.",
        discussion: """
            'ferry undo' brings them back for as long as 'ferry history' keeps them. What
            is too large for that is removed for good: at a terminal you are asked first,
            unless you give -f; in a script a message says so.

            Of a link, the link itself is removed, never what it points to.
            '.', '..' and '/' are refused.

            EXAMPLES
              ferry rm old.txt
              ferry rm --permanent secret.txt
              ferry rm -r old-photos     a folder with all below it
              ferry rm -f maybe.txt      no error if there is none
            """
    )

    @Argument(help: .location("What to remove."), completion: .file())
    var locations: [String]

    @Flag(name: .shortAndLong, help: "Remove folders with all below them.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Don't complain about what is not there, and ask nothing.")
    var force = false

    @Flag(help: "Remove for good: 'ferry undo' can't bring it back.")
    var permanent = false

    @OptionGroup var lock: LockTokenOption

    func run() async throws {
        try await Session.run(recording: true) { session in
            if !force { session.recorder?.asksBeforeLoss.reach() }
            var found: [Location] = []
            for text in locations where !Self.isRefused(text, session) {
                if let location = try await session.locate(text) { found.append(location) }
            }
            if !found.isEmpty { try await lock.use(on: found) }
            for group in permanent ? Self.groups(found) : found.map({ [$0] }) {
                var there: [(location: Location, isFolder: Bool)] = []
                for location in group {
                    await session.changes(location)
                    try await session.attempt(location) {
                        if let item = try await item(location) { there.append((location, item.isDirectory)) }
                    }
                }
                if permanent {
                    try await removeForGood(there, session)
                } else {
                    for (location, _) in there {
                        try await session.attempt(location) {
                            try await location.storage.removeItem(path: location.path)
                        }
                    }
                }
            }
        }
    }

    private static let refusal = "is never removed as a whole"
    private static let advice = "name the items in it that you want to remove"

    /// Returns what nobody means to remove.
    static func isRefused(_ text: String, _ session: Session) -> Bool {
        let syntax = LocationSyntax(text)
        let path =
            switch syntax {
            case .storage(_, let path): path
            case .local(let path): path
            case .address(let address): String(address.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" })
            }
        let last = path.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) }
        let isTop = last == nil && (path.utf8.first == UInt8(ascii: "/") || syntax != .local(text))
        guard isTop || last == "." || last == ".." else { return false }
        session.report(
            CocoaError.location(text, refusal, advice)
        )
        return true
    }

    /// Returns the item that was meant to be removed; `nil` if there is none, and nobody wants to know.
    private func item(_ location: Location) async throws -> FileObject? {
        let item: FileObject
        do {
            item = try await location.storage.attributesOfItem(path: location.path)
        } catch let error as CocoaError where error.code == .fileNoSuchFile && force {
            return nil
        }
        if location.path.isRoot {
            throw CocoaError.location(location.text, Self.refusal, Self.advice)
        }
        if location.demandsFolder, !item.isDirectory { throw CocoaError.notAFolder(location.path, whileWriting: true) }
        if item.isDirectory, !recursive {
            throw CocoaError.file(
                .fileWriteUnknown,
                path: location.path,
                description: "is a folder",
                suggestion: "give -r to remove it with all below it"
            )
        }
        return item
    }

    // MARK: For good

    /// Divides locations into groups that a storage can remove with one request.
    private static func groups(_ locations: [Location]) -> [[Location]] {
        var groups: [[Location]] = []
        for location in locations {
            let storage = location.storage.withoutRecording as? any FileProviderBatchOperations
            if let last = groups.last, last[0].prefix == location.prefix, last.count < storage?.batchLimit ?? 1 {
                groups[groups.count - 1].append(location)
            } else {
                groups.append([location])
            }
        }
        return groups
    }

    private func removeForGood(_ items: [(location: Location, isFolder: Bool)], _ session: Session) async throws {
        guard let location = items.first?.location else { return }
        let storage = location.storage.withoutRecording
        let paths = items.map(\.location.path)
        var results: [Result<Void, any Error>]
        do {
            if let recorder = session.recorder, location.storage is any RecordingFileProvider {
                // It is the last command all the same, and none that was given before it is undone in its place.
                results = try await recorder.removingForGood(items) { try await storage.removeItems(paths) }
            } else {
                results = try await storage.removeItems(paths)
            }
        } catch let error where !Session.isEnd(error) {
            results = items.map { _ in .failure(error) }
        }
        for (item, result) in zip(items, results) {
            try await session.attempt(item.location) {
                do {
                    try result.get()
                } catch let error as CocoaError where error.code == .fileNoSuchFile && force {
                    // Another of the items was a folder above it, or the same.
                }
            }
        }
    }
}
