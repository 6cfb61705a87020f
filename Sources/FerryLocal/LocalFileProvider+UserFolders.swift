public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// Shows one of the user's folders.
    ///
    /// On Linux these are the folders of the XDG specifications: `.documentDirectory` is what `user-dirs.dirs` or
    /// `XDG_DOCUMENTS_DIR` say, `.cachesDirectory` is `XDG_CACHE_HOME`, `.applicationSupportDirectory` is
    /// `XDG_DATA_HOME`.
    ///
    /// - Parameters:
    ///   - directory: Which folder.
    ///   - create: `true` to make it if it is missing.
    ///   - synchronizes: `true` if a write returns only when the bytes would survive a loss of power.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.featureUnsupported` for a folder that this system doesn't have; what keeps it from being
    ///   made.
    public convenience init(
        for directory: FileManager.SearchPathDirectory,
        create: Bool = false,
        synchronizes: Bool = false,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        guard let url = Self.url(of: directory) else {
            throw CocoaError.unsupported("such a folder", path: .root)
        }
        if create { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        self.init(baseURL: url, synchronizes: synchronizes, environment: environment)
    }
}
