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
        try await session.forEach(texts) { location in
            let thumbnail = try await make(location, command.options(usual: room, .png))
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
        guard texts.count == 1 else {
            throw ValidationError("several pictures can't go into one output; give a folder with -o FOLDER/")
        }
        guard !session.output.isTerminal else {
            throw ValidationError("a terminal can't show a picture's bytes; leave out -o, and it is drawn")
        }
        try await session.forEach(texts) { location in
            let thumbnail = try await make(location, command.options(usual: Self.usual, nil))
            try thumbnail.data.withUnsafeBytes { try session.output.write(through: $0) }
        }
    }

    /// Writes pictures to a file, or into a folder.
    func write(_ texts: [String], to output: String) async throws {
        let target = try await session.storages.location(output)
        let isFolder = try await target.attributesIfExists()?.isDirectory ?? target.demandsFolder
        guard isFolder || texts.count == 1 else {
            throw ValidationError("several pictures can't go into one file; give a folder with -o FOLDER/")
        }
        try await session.forEach(texts) { location in
            let named = isFolder ? nil : ThumbnailFormatArgument(rawValue: target.path.pathExtension.lowercased())
            let format = command.format?.format ?? named?.format
            let thumbnail = try await make(location, command.options(usual: Self.usual, format))
            let end = thumbnail.contentType == "image/jpeg" ? "jpg" : String(thumbnail.contentType.dropFirst(6))
            let file = isFolder ? target.appending(name: "\(location.path.lastName).\(end)") : target
            if try await file.attributesIfExists() != nil, !command.overwrite.isAllowed {
                throw CocoaError.itemExists(file.path).naming(file.text)
            }
            session.changes(file)
            try await file.naming {
                try await file.storage.writeContents(
                    path: file.path,
                    contents: thumbnail.data,
                    overwrite: command.overwrite.isAllowed
                )
            }
        }
    }

    private func make(_ location: Location, _ options: ThumbnailOptions) async throws -> Thumbnail {
        let (place, item) = try await location.resolved()
        if item.isDirectory { throw CocoaError.isAFolder(place.path) }
        let files = try place.ability((any ExtendedFileProvider).self, "thumbnails")
        return try await files.thumbnailOfFile(path: place.path, options: options)
    }
}
