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

    /// Makes an item's picture.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - storage: Where it is.
    ///   - terminal: Where it is shown.
    ///   - columns: Characters that there are.
    ///   - rows: Lines that there are.
    /// - Throws: The error that ends the whole work; also `CocoaError.featureUnsupported` if there can be no picture of
    ///   any item.
    init(
        of item: FileObject,
        on storage: any Storage,
        _ terminal: PictureTerminal,
        columns: Int,
        rows: Int
    ) async throws {
        guard !item.isDirectory, let files = storage as? any ExtendedFileProvider,
            files.thumbnailOfFileSupported(path: item.path)
        else {
            self = .nothing
            return
        }
        let room = terminal.pixels(columns: columns, rows: rows)
        let options = ThumbnailOptions(width: room.width, height: room.height, format: .png)
        do {
            let thumbnail = try await files.thumbnail(of: item, options: options)
            let picture = DrawnPicture(png: thumbnail.data, on: terminal, columns: columns, rows: rows)
            self = picture.map { .picture($0) } ?? .nothing
        } catch let error where Session.isEnd(error) {
            throw error
        } catch let error as CocoaError where error.code == .featureUnsupported {
            // Without a path it is no fault of this file.
            if error.userInfo[NSFilePathErrorKey] == nil { throw error }
            self = .nothing
        } catch {
            self = .failure(error)
        }
    }
}
