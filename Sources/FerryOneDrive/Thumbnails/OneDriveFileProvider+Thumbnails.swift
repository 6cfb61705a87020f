public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension OneDriveFileProvider {
    private static let largestPicture = 32 << 20

    /// Redirects at most on the way to a picture.
    private static let mostRedirects = 3

    /// Files that a page of a gallery's folder has at most.
    private static let galleryPage = 200

    private static let pictured: Set<String> = [
        "jpg", "jpeg", "png", "gif", "bmp", "tif", "tiff", "webp", "heic", "heif", "avif", "svg", "ico", "arw", "cr2",
        "crw", "dng", "erf", "mef", "mrw", "nef", "nrw", "orf", "pef", "raw", "rw2", "sr2", "psd", "ai", "eps", "mp4",
        "m4v", "mov", "avi", "mkv", "webm", "wmv", "3gp", "mts", "m2ts", "mpg", "mpeg", "pdf", "doc", "docx", "xls",
        "xlsx", "ppt", "pptx", "odt", "ods", "odp", "rtf", "txt", "md", "html", "mp3", "m4a", "flac",
    ]

    /// Returns whether the service makes pictures of files with such a name.
    ///
    /// - Parameter path: The file; it need not exist.
    /// - Returns: `false` if asking for one is useless.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool {
        Self.pictured.contains(path.pathExtension.lowercased())
    }

    /// Returns a small picture of a file, made by the service.
    ///
    /// See <https://learn.microsoft.com/graph/api/driveitem-list-thumbnails>.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: How it is wanted; the next larger usual size is returned, 800 pixels at most of those. The service
    ///     chooses the format.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a file that has none; `.fileNoSuchFile`.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        let options = options ?? ThumbnailOptions()
        guard options.page == 1 else { throw CocoaError.unsupported("a picture of another page", path: path) }
        let size = OneDriveThumbnailSize(options)
        return try await mappingRefusals {
            let answer = try await atPlace(of: path) { place in
                try await connection.call(
                    .get,
                    place.address.route("/thumbnails", [("$select", size.name)]),
                    about: path
                )
            }
            return try await picture(at: answer["value"].items.first?[size.name]["url"].string, of: path)
        }
    }

    /// Returns small pictures of several files; those of one folder come with its listing.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How the pictures are wanted.
    /// - Returns: For each file, in the same order, its picture, or why there is none.
    /// - Throws: `CancellationError`; errors of the login.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions? = nil
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await inParallel(paths, concurrency: capabilities.recommendedConcurrency) { path in
            do {
                let item = try await self.attributesOfItem(path: path)
                return .success(try await self.thumbnail(of: item, options: options))
            } catch let error where error is CancellationError || error.isLoginFailure {
                throw error
            } catch {
                return .failure(error)
            }
        }
    }

    // MARK: Fetching

    /// Fetches a picture; its address carries its own permission, and gets no login.
    private func picture(at url: String?, of path: ItemPath) async throws -> Thumbnail {
        guard var url else { throw CocoaError.unsupported("a picture of this file", path: path) }
        for _ in 0...Self.mostRedirects {
            let answer = try await connection.answer(
                to: try connection.request(following: url),
                about: path,
                isSigned: false
            ) { $0.kind == .successful || $0.kind == .redirection }
            if answer.head.status.kind == .redirection {
                guard let location = answer.head.headerFields[.location] else { break }
                url = location
                continue
            }
            guard answer.body.count <= Self.largestPicture else {
                throw URLError.answer(.dataLengthExceedsMaximum, about: path, description: "the picture is too large")
            }
            let size = PictureSize(answer.body)
            return Thumbnail(
                data: answer.body,
                contentType: Self.contentType(of: answer.body, answer.head),
                width: size?.width,
                height: size?.height
            )
        }
        throw URLError.answer(.cannotParseResponse, about: path, description: "no picture is at the picture's address")
    }

    /// Returns the media type of a picture: its first bytes are more certain than what a host of contents says.
    private static func contentType(of data: Data, _ head: HTTPResponse) -> String {
        if data.starts(with: [0xFF, 0xD8]) { return "image/jpeg" }
        if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "image/png" }
        if data.starts(with: Array("RIFF".utf8)) { return "image/webp" }
        let text = head.headerFields[.contentType]?.prefix { $0 != ";" } ?? ""
        return text.hasPrefix("image/") ? String(text) : "image/jpeg"
    }
}

extension OneDriveFileProvider: ListedItemPicturing {
    /// Returns a small picture of an item that was listed; those of one folder come with a page of it.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - options: How it is wanted.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    package func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        let size = OneDriveThumbnailSize(options ?? ThumbnailOptions())
        // Drives of organizations tell no pictures with a folder.
        guard options?.page ?? 1 == 1, size.isStandard, !item.path.isIdentifier, item.extras[.shortcutTarget] == nil,
            try await mappingRefusals({ try await driveType() }) == .personal
        else { return try await thumbnailOfFile(path: item.path, options: options) }
        let link = try await mappingRefusals {
            try await pictures.link(
                to: item,
                in: OneDrivePictureLinks.Key(folder: item.path.parent, size: size),
                now: connection.now()
            ) { link in
                try await self.gallery(item.path.parent, size, link)
            }
        }
        guard let link else { return try await thumbnailOfFile(path: item.path, options: options) }
        return try await mappingRefusals { try await picture(at: link.url, of: item.path) }
    }

    /// Asks for a page of a folder with the pictures of its files.
    private func gallery(
        _ folder: ItemPath,
        _ size: OneDriveThumbnailSize,
        _ link: String?
    ) async throws -> OneDrivePictureLinks.Page {
        let page: GraphPage
        let foreign: String?
        if let link {
            foreign = try await place(of: folder, followingShortcut: true).foreignDriveID
            page = try await connection.follow(link, as: GraphPage.self, about: folder)
        } else {
            let query = [
                ("$expand", "thumbnails"), ("$select", "id,name,eTag,file,parentReference"),
                ("$top", String(Self.galleryPage)),
            ]
            (page, foreign) = try await atPlace(of: folder, followingShortcut: true) { place in
                let page = try await connection.call(
                    .get,
                    place.address.route("/children", query),
                    as: GraphPage.self,
                    about: folder
                )
                return (page, place.foreignDriveID)
            }
        }
        let links = page.value.map { item in
            let url = item.thumbnails?.first?[size.name]["url"].string
            return (
                OneDriveItemID(drive: foreign, item: item.id).text, OneDrivePictureLinks.Link(url: url, eTag: item.eTag)
            )
        }
        return OneDrivePictureLinks.Page(links: Dictionary(links) { $1 }, next: page.nextLink)
    }
}

extension Error {
    /// A Boolean value that indicates whether nobody is logged in any more.
    fileprivate var isLoginFailure: Bool { (self as? URLError)?.code == .userAuthenticationRequired }
}
