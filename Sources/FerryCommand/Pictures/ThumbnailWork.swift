import ArgumentParser
import FerryCore
import Foundation

/// One run of `ferry thumbnail`.
struct ThumbnailWork {
    let command: ThumbnailCommand
    let session: Session

    /// Pixels of a picture for which no size is given.
    private static let usual = PixelSize(width: 256, height: 256)

    /// Characters of a line that a picture takes up at most, if no size is given: more is no thumbnail.
    private static let usualColumns = 80

    /// Draws pictures on the terminal.
    func draw(_ texts: [String]) async throws {
        let terminal = try await PictureTerminal.require(
            descriptor: STDOUT_FILENO,
            environment: session.environment,
            advice: "write it to a file with -o FILE, or set \(PictureStyle.variable)"
        )
        let room = terminal.pixels(
            columns: min(terminal.columns, Self.usualColumns),
            rows: max(1, terminal.rows - (texts.count > 1 ? 3 : 2))
        )
        var isFirst = true
        try await forEachMade(texts, command.options(usual: room, .png)) { location, thumbnail in
            guard let picture = DrawnPicture(png: thumbnail.data, on: terminal) else {
                throw CocoaError.file(.fileReadCorruptFile, path: location.path, description: "its picture is damaged")
            }
            if texts.count > 1 {
                if !isFirst { try session.output.endLine() }
                isFirst = false
                session.output.write(name: location.text)
                session.output.write(byte: UInt8(ascii: ":"))
                try session.output.endLine()
            }
            try session.output.write(picture)
        }
    }

    /// Writes a picture to the standard output.
    func print(_ texts: [String]) async throws {
        guard texts.count == 1 else { throw ThumbnailCommand.tooMany(forOne: "output") }
        guard !session.output.isTerminal else {
            throw ValidationError("a terminal can't show a picture's bytes; leave out -o, and it is drawn")
        }
        try await forEachMade(texts, command.options(usual: Self.usual, nil)) { _, thumbnail in
            try thumbnail.data.withUnsafeBytes { try session.output.write(through: $0) }
        }
    }

    /// Writes pictures to a file, into a folder, or under names of a pattern.
    func write(_ texts: [String], to output: String) async throws {
        let target = try await ThumbnailTarget(output, count: texts.count, session)
        let options = command.options(usual: Self.usual, command.format?.format ?? target.format)
        var written: Set<ItemPath> = []
        try await forEachMade(texts, options) { location, thumbnail in
            let file = target.place(of: location, thumbnail)
            // Of two files with one name, the second doesn't replace what was made of the first, whatever is allowed.
            let isAnothers = !written.insert(file.path).inserted
            if try await file.attributesIfExists() != nil, isAnothers || !command.overwrite.isAllowed {
                throw CocoaError.itemExists(file.path).naming(file.text)
            }
            await session.changes(file)
            try await file.naming {
                try await file.storage.writeContents(
                    path: file.path,
                    contents: thumbnail.data,
                    overwrite: command.overwrite.isAllowed
                )
            }
        }
    }

    // MARK: - Making

    /// Files that are worked on at the same time: while some are decoded, others are asked for.
    private static let ahead = 2 * ProcessInfo.processInfo.activeProcessorCount + 2

    /// Makes pictures of several files at a time, and hands them on in the order in which the files were named.
    private func forEachMade(
        _ texts: [String],
        _ options: ThumbnailOptions,
        _ body: (Location, Thumbnail) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: (Int, Result<Thumbnail, any Error>).self) { group in
            var waiting: [Int: Location] = [:]
            var made: [Int: Result<Thumbnail, any Error>] = [:]
            var (begun, done) = (0, 0)
            while done < texts.count {
                while begun < min(texts.count, done + Self.ahead) {
                    let index = begun
                    begun += 1
                    guard let location = try await session.locate(texts[index]) else { continue }
                    waiting[index] = location
                    group.addTask { (index, await Self.make(location, options)) }
                }
                defer { done += 1 }
                guard let location = waiting.removeValue(forKey: done) else { continue }
                while made[done] == nil, let (index, result) = try await group.next() { made[index] = result }
                let result = made.removeValue(forKey: done)
                try await session.attempt(location) {
                    if let result { try await body(location, result.get()) }
                }
            }
        }
    }

    private static func make(_ location: Location, _ options: ThumbnailOptions) async -> Result<Thumbnail, any Error> {
        do {
            let (place, item) = try await location.resolved()
            if item.isDirectory { throw CocoaError.isAFolder(place.path) }
            let files = try place.ability((any ExtendedFileProvider).self, "thumbnails")
            if !place.path.beginsWithIdentifier, item.path == place.path {
                return .success(try await files.thumbnail(of: item, options: options))
            }
            return .success(try await files.thumbnailOfFile(path: place.path, options: options))
        } catch {
            return .failure(error)
        }
    }
}
