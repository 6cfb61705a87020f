import FerryCore
import Foundation

/// Where `ferry thumbnail` writes pictures: to a file, into a folder, or under names that a pattern gives.
struct ThumbnailTarget {
    /// The placeholder in a pattern for a file's name without its extension, as `vipsthumbnail` has it.
    static let placeholder = "%s"

    private let target: Location
    private let isFolder: Bool
    private let isPattern: Bool

    /// Finds out what is meant.
    ///
    /// - Parameters:
    ///   - output: The text that the person wrote.
    ///   - count: How many pictures there will be.
    ///   - session: The session, which finds locations.
    /// - Throws: `ValidationError` if so many don't go there.
    init(_ output: String, count: Int, _ session: Session) async throws {
        target = try await session.storages.location(output)
        isPattern = !target.demandsFolder && target.path.lastName.contains(Self.placeholder)
        isFolder =
            isPattern ? false : try await target.attributesIfExists()?.isDirectory ?? target.demandsFolder
        guard isFolder || isPattern || count == 1 else { throw ThumbnailCommand.tooMany(forOne: "file") }
    }

    /// The format that the name asks for, if it does.
    var format: ThumbnailOptions.Format? {
        isFolder ? nil : ThumbnailFormatArgument(rawValue: target.path.pathExtension.lowercased())?.format
    }

    /// Where a file's picture goes.
    ///
    /// - Parameters:
    ///   - location: The file.
    ///   - thumbnail: Its picture.
    /// - Returns: The file that is meant; one in the folder, with the picture's extension; or as the pattern has it.
    func place(of location: Location, _ thumbnail: Thumbnail) -> Location {
        let name = location.path.lastName
        guard isPattern else {
            let end = thumbnail.contentType == "image/jpeg" ? "jpg" : String(thumbnail.contentType.dropFirst(6))
            return isFolder ? target.appending(name: "\(name).\(end)") : target
        }
        let end = location.path.pathExtension.utf8.count
        let bare = end == 0 ? name : String(decoding: name.utf8.dropLast(end + 1), as: UTF8.self)
        let folder = target.path.parent
        return Location(
            text: target.display(folder),
            storage: target.storage,
            prefix: target.prefix,
            path: folder
        ).appending(name: target.path.lastName.replacing(Self.placeholder, with: bare))
    }
}
