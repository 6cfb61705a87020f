import FerryCore
import FerryMemory
import Foundation
import Synchronization

/// A storage that makes thumbnails of PPM files itself, as servers do.
final class PicturingFileProvider<Base: FileProviderReadWrite>: FileProviderWrapper, ExtendedFileProvider {
    let base: Base
    private let asked = Mutex<[ThumbnailOptions?]>([])

    init(_ base: Base) {
        self.base = base
    }

    /// How thumbnails were asked for, in order.
    var askedFor: [ThumbnailOptions?] { asked.withLock { $0 } }

    func thumbnailOfFileSupported(path: ItemPath) -> Bool { path.pathExtension == "ppm" }

    func propertiesOfFileSupported(path: ItemPath) -> Bool { path.pathExtension == "ppm" }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        asked.withLock { $0.append(options) }
        return try await picture(path).scaled(options ?? ThumbnailOptions()).thumbnail
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        let picture = try await picture(path)
        return FileProperties([
            .init(.dimensions, .size(.init(width: Double(picture.width), height: Double(picture.height))))
        ])
    }

    private func picture(_ path: ItemPath) async throws -> Pixmap {
        guard let picture = Pixmap(try await base.contents(path: path, reporting: nil)) else {
            throw CocoaError.unsupported("a picture of this file", path: path)
        }
        return picture
    }
}

extension PicturingFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension PicturingFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension PicturingFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
