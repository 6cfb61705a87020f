import FerryCore
import FerryMemory
import Foundation

/// Each PNG file is its own picture.
extension MutantFileProvider: ExtendedFileProvider {
    func thumbnailOfFileSupported(path: ItemPath) -> Bool { path.pathExtension == "png" }
    func propertiesOfFileSupported(path: ItemPath) -> Bool { false }

    func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        let contents = try await base.contents(path: path, reporting: nil)
        guard thumbnailOfFileSupported(path: path) else { throw CocoaError.unsupported("a picture", path: path) }
        return Thumbnail(data: flaw == .forgetsPictures ? Data() : contents, contentType: "image/png")
    }

    func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        let others = try await base.contentsOfDirectory(path: item.path.parent).filter { $0.path != item.path }
        let path = flaw == .mistakesListedPictures ? others.first?.path ?? item.path : item.path
        return try await thumbnailOfFile(path: path, options: options)
    }

    func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        if flaw == .ignoresCancellation { return try await Task { try await pictures(paths, options) }.value }
        return try await pictures(paths, options)
    }

    func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        throw CocoaError.unsupported("properties", path: path, isPlural: true)
    }

    private func pictures(
        _ paths: [ItemPath],
        _ options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        var results = try await resultsInParallel(paths, concurrency: 4) {
            try await thumbnailOfFile(path: $0, options: options)
        }
        switch flaw {
        case .reversesPictures: results.reverse()
        case .endsAtFirstMissingPicture: for result in results { _ = try result.get() }
        case .hidesErrorsOfPictures: results.removeAll { (try? $0.get()) == nil }
        case .cutsPicturesShort: results = Array(results.prefix(25))
        default: break
        }
        return results
    }
}
