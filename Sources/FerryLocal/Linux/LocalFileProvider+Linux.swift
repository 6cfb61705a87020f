#if os(Linux)
import Foundation

extension LocalFileProvider {
    /// `a` and `A` are two names on the usual file systems.
    static var isCaseSensitive: Bool { true }

    /// Names are bytes.
    static var distinguishesNormalizationForms: Bool { true }

    /// Where one of the user's folders is; `nil` if there is no such thing here.
    static func url(
        of directory: FileManager.SearchPathDirectory,
        in folders: UserFolders = UserFolders()
    ) -> URL? {
        let path: String? =
            switch directory {
            case .userDirectory: folders.home
            case .documentDirectory: folders.known("DOCUMENTS", otherwise: "Documents")
            case .downloadsDirectory: folders.known("DOWNLOAD", otherwise: "Downloads")
            case .desktopDirectory: folders.known("DESKTOP", otherwise: "Desktop")
            case .moviesDirectory: folders.known("VIDEOS", otherwise: "Videos")
            case .musicDirectory: folders.known("MUSIC", otherwise: "Music")
            case .picturesDirectory: folders.known("PICTURES", otherwise: "Pictures")
            case .sharedPublicDirectory: folders.known("PUBLICSHARE", otherwise: "Public")
            case .cachesDirectory: folders.cacheHome
            case .applicationSupportDirectory: folders.dataHome
            case .libraryDirectory: folders.dataHome
            case .trashDirectory: folders.dataHome + "/Trash/files"
            default: nil
            }
        return path.map { URL(filePath: $0, directoryHint: .isDirectory) }
    }
}
#endif
