import FerryCore
import FerryMedia
import Foundation

/// The content of a place of a contact sheet.
enum GalleryPlace: Sendable {
    /// A picture.
    case picture(DrawnPicture)
    /// A folder, or a file of a kind that has no picture.
    case nothing
    /// Why there is no picture.
    case failure(any Error)

    /// Makes the pictures of items.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - storage: Where they are.
    ///   - terminal: Where they are shown.
    ///   - columns: Characters that there are for each.
    ///   - rows: Lines that there are for each.
    /// - Returns: The place of each item, in the same order.
    /// - Throws: The error that ends the whole work; also `CocoaError.featureUnsupported` if there can be no picture of
    ///   any item.
    static func places(
        of items: [FileObject],
        on storage: any Storage,
        _ terminal: PictureTerminal,
        columns: Int,
        rows: Int
    ) async throws -> [GalleryPlace] {
        var places = items.map { _ in GalleryPlace.nothing }
        guard let files = storage as? any ExtendedFileProvider else { return places }
        let pictured = items.indices.filter {
            !items[$0].isDirectory && files.thumbnailOfFileSupported(path: items[$0].path)
        }
        if pictured.isEmpty { return places }
        let room = terminal.pixels(columns: columns, rows: rows)
        let options = ThumbnailOptions(width: room.width, height: room.height, format: .png)
        let made: [Result<Thumbnail, any Error>]
        do {
            made = try await files.thumbnailsOfFiles(listed: pictured.map { items[$0] }, options: options)
        } catch let error where !Session.isEnd(error) {
            made = pictured.map { _ in .failure(error) }
        }
        for (index, result) in zip(pictured, made) {
            do {
                let picture = DrawnPicture(png: try result.get().data, on: terminal, columns: columns, rows: rows)
                places[index] = picture.map { .picture($0) } ?? .nothing
            } catch let error where Session.isEnd(error) {
                throw error
            } catch let error as CocoaError where error.code == .featureUnsupported {
                // Without a path it is no fault of this file.
                if error.userInfo[NSFilePathErrorKey] == nil { throw error }
            } catch {
                places[index] = .failure(error)
            }
        }
        return places
    }
}
