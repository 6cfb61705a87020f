public import FerryCore
import FerryHTTP
import Foundation

extension OneDriveFileProvider: ExtendedFileProvider {
    private static let measured: Set<String> = [
        "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "dng", "arw", "cr2", "nef", "orf",
        "rw2", "mp4", "m4v", "mov", "avi", "mkv", "webm", "wmv", "3gp", "mts", "m2ts", "mp3", "m4a", "wma", "flac",
        "wav", "ogg", "aac",
    ]

    private static let facets =
        "id,name,file,folder,package,root,remoteItem,parentReference,image,photo,video,audio,location"

    /// Returns whether the service looks into files with such a name.
    ///
    /// - Parameter path: The file; it need not exist.
    /// - Returns: `false` if asking is useless.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool {
        Self.measured.contains(path.pathExtension.lowercased())
    }

    /// Returns what the service has found out about a picture, a film or a piece of music.
    ///
    /// Drives of organizations tell little more than dimensions and dates. See
    /// <https://learn.microsoft.com/graph/api/resources/driveitem>.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its properties, as far as they are known.
    /// - Throws: `CocoaError.featureUnsupported` for another kind of file; `.fileNoSuchFile`.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        let (item, _) = try await mappingRefusals { try await graphFile(at: path, members: Self.facets) }
        let facets = OneDriveMediaFacets(item)
        guard item.kind == .file, !facets.isEmpty else {
            throw CocoaError.unsupported("the properties of this file", path: path, isPlural: true)
        }
        return FileProperties(facets.properties)
    }
}
