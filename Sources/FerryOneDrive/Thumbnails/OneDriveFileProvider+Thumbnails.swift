public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging

extension OneDriveFileProvider {
    private static let largestPicture = 32 << 20

    /// Redirects at most on the way to a picture.
    private static let mostRedirects = 3

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
    ///   - options: How it is wanted; the picture fits into the size, and is one of 176 pixels where none is named. The
    ///     service chooses the format.
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

    /// Returns small pictures of several files, whose addresses come 20 with each request.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How the pictures are wanted.
    /// - Returns: For each file, in the same order, its picture, or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: `CancellationError`; an error of the connection or the login that keeps all pictures from being
    ///   fetched.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions? = nil
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await thumbnails(of: paths, options) { index in
            paths[index].revision == nil ? try await self.place(of: paths[index]).address : nil
        }
    }

    /// Returns small pictures of several files that were listed, whose addresses come 20 with each request.
    ///
    /// - Parameters:
    ///   - items: The files; those without an identifier, and shortcuts, are asked for one by one.
    ///   - options: How the pictures are wanted.
    /// - Returns: For each file, in the same order, its picture, or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: As ``thumbnailsOfFiles(paths:options:)``.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await thumbnails(of: items.map(\.path), options) { index in
            let item = items[index]
            guard let id = item.id, item.path.revision == nil, item.extras[.shortcutTarget] == nil else { return nil }
            return try await self.place(of: OneDriveItemID(id)).address
        }
    }

    /// Fetches pictures of several files.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How the pictures are wanted.
    ///   - address: Returns the place of a file by its index; `nil` for one that is asked for by itself.
    /// - Returns: For each file its picture or its error.
    /// - Throws: `CancellationError`; an error of the connection or the login that keeps all pictures from being
    ///   fetched.
    private func thumbnails(
        of paths: [ItemPath],
        _ options: ThumbnailOptions?,
        at address: (Int) async throws -> GraphAddress?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try Task.checkCancellation()
        let size = OneDriveThumbnailSize(options ?? ThumbnailOptions())
        let asked = options?.page ?? 1 == 1 ? Array(paths.indices) : []
        let links = try await mappingRefusals {
            var places: [(index: Int, address: GraphAddress)] = []
            for index in asked {
                do {
                    if let address = try await address(index) { places.append((index, address)) }
                } catch let error where !(error is OneDriveError || error is CocoaError) {
                    throw error
                } catch {
                    // It says why by itself.
                }
            }
            let links = try await pictureLinks(at: places.map { $0.address }, size)
            return Dictionary(zip(places.map { $0.index }, links)) { $1 }
        }
        let concurrency = capabilities.recommendedConcurrency
        return try await resultsInParallel(Array(paths.indices), concurrency: concurrency) { index in
            // One that was refused says why by itself; it may be below a shortcut.
            guard let link = links[index] ?? nil else {
                return try await self.thumbnailOfFile(path: paths[index], options: options)
            }
            return try await mappingRefusals { try await self.picture(at: link.url, of: paths[index]) }
        }
    }

    /// Asks for the addresses of pictures.
    ///
    /// - Parameters:
    ///   - places: The files.
    ///   - size: The size of the pictures.
    /// - Returns: The addresses in the order of the files; `nil` where the service refuses to say.
    /// - Throws: Errors of the connection and the login.
    private func pictureLinks(
        at places: [GraphAddress],
        _ size: OneDriveThumbnailSize
    ) async throws -> [OneDrivePictureLinks.Link?] {
        do {
            let routes = places.map { $0.route("/thumbnails", [("$select", size.name)]) }
            return try await connection.answers(to: routes).map { answer in
                answer.map { OneDrivePictureLinks.Link(url: $0["value"].items.first?[size.name]["url"].string) }
            }
        } catch let error as OneDriveError where error.answeredStatusCode != 401 {
            // Each file is asked for by itself then, and says why there is no picture.
            environment.logger.debug("no pictures with one request", metadata: ["error": "\(error)"])
            return places.map { _ in nil }
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

extension OneDriveFileProvider {
    /// Returns a small picture of an item that was listed; its address comes with those of the items listed after it.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - options: How it is wanted.
    /// - Returns: The picture.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        guard options?.page ?? 1 == 1, item.extras[.shortcutTarget] == nil else {
            return try await thumbnailOfFile(path: item.path, options: options)
        }
        let size = OneDriveThumbnailSize(options ?? ThumbnailOptions())
        let link = try await mappingRefusals {
            try await pictures.link(
                to: item,
                size,
                atOnce: GraphConnection.mostInBatch,
                now: connection.now()
            ) { ids in
                var places: [GraphAddress] = []
                for id in ids { places.append(try await self.place(of: OneDriveItemID(id)).address) }
                let links = zip(ids, try await self.pictureLinks(at: places, size))
                return Dictionary(links.compactMap { id, link in link.map { (id, $0) } }) { $1 }
            }
        }
        guard let link else { return try await thumbnailOfFile(path: item.path, options: options) }
        return try await mappingRefusals { try await picture(at: link.url, of: item.path) }
    }
}
