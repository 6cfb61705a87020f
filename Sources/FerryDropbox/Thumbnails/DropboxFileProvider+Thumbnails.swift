public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider: ExtendedFileProvider {
    private static let largestPicture = 32 << 20

    /// Pictures that Dropbox makes with one request at most.
    private static let mostPictures = 25

    private static let pictured: Set<String> = [
        "jpg", "jpeg", "png", "tiff", "tif", "gif", "webp", "ppm", "bmp",
    ]

    private static let measured = pictured.union(["mp4", "mov", "m4v", "avi", "mkv", "webm", "3gp", "heic", "heif"])

    /// Returns whether Dropbox makes pictures of files with such a name.
    ///
    /// - Parameter path: The file; it need not exist.
    /// - Returns: `false` if asking for one is useless.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool {
        Self.pictured.contains(path.pathExtension.lowercased())
    }

    /// Returns whether Dropbox looks into files with such a name.
    ///
    /// - Parameter path: The file; it need not exist.
    /// - Returns: `false` if asking is useless.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool {
        Self.measured.contains(path.pathExtension.lowercased())
    }

    /// Returns a small picture of a file, made by Dropbox.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - options: How it is wanted; the next larger size that Dropbox makes is returned, and nothing is cut off.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none; `.fileNoSuchFile`.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        let options = options ?? ThumbnailOptions()
        guard options.page == 1 else { throw CocoaError.unsupported("a picture of another page", path: path) }
        let wanted = DropboxThumbnailRequest(options)
        var argument = wanted.members
        argument["resource"] = [".tag": "path", "path": .text(DropboxPath.text(path))]
        let request = try await connection.contentRequest(
            DropboxRoute("files/get_thumbnail_v2", host: .content),
            .object(argument),
            isUpload: false,
            isIdempotent: true
        )
        let data = try await mappingRefusals { try await connection.answer(to: request, about: path) }
        guard data.count <= Self.largestPicture else {
            throw URLError.answer(.dataLengthExceedsMaximum, about: path, description: "the picture is too large")
        }
        return Self.thumbnail(data, wanted)
    }

    /// Returns small pictures of several files, 25 with each request.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - options: How the pictures are wanted.
    /// - Returns: For each file, in the same order, its picture, or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: `CancellationError`; an error of the connection or the login that keeps all pictures from being made.
    public func thumbnailsOfFiles(
        paths: [ItemPath],
        options: ThumbnailOptions? = nil
    ) async throws -> [Result<Thumbnail, any Error>] {
        let options = options ?? ThumbnailOptions()
        guard options.page == 1 else {
            return paths.map { .failure(CocoaError.unsupported("a picture of another page", path: $0)) }
        }
        var pictures: [Result<Thumbnail, any Error>] = []
        for start in stride(from: 0, to: paths.count, by: Self.mostPictures) {
            try Task.checkCancellation()
            let portion = Array(paths[start..<min(start + Self.mostPictures, paths.count)])
            do {
                pictures += try await picturesTogether(of: portion, options)
            } catch let error as CancellationError {
                throw error
            } catch let error as URLError where error.code.meansNothingWasAsked {
                if pictures.isEmpty { throw error }
                let left = paths.count - pictures.count
                return pictures + [Result<Thumbnail, any Error>](repeating: .failure(error), count: left)
            } catch {
                pictures += [Result<Thumbnail, any Error>](repeating: .failure(error), count: portion.count)
            }
        }
        return pictures
    }

    /// Returns small pictures of several files that were listed, 25 with each request.
    ///
    /// - Parameters:
    ///   - items: The files.
    ///   - options: How the pictures are wanted.
    /// - Returns: For each file, in the same order, its picture, or the error of ``thumbnailOfFile(path:options:)``.
    /// - Throws: As ``thumbnailsOfFiles(paths:options:)``.
    public func thumbnailsOfFiles(
        listed items: [FileObject],
        options: ThumbnailOptions?
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await thumbnailsOfFiles(paths: items.map(\.path), options: options)
    }

    /// Returns pictures that are made with one request.
    private func picturesTogether(
        of paths: [ItemPath],
        _ options: ThumbnailOptions
    ) async throws -> [Result<Thumbnail, any Error>] {
        let wanted = DropboxThumbnailRequest(options)
        let entries = paths.map { path -> JSONValue in
            .object(wanted.members.merging(["path": .text(DropboxPath.text(path))]) { $1 })
        }
        let answer: JSONValue
        do {
            answer = try await connection.call(
                DropboxRoute("files/get_thumbnail_batch", host: .content),
                ["entries": .list(entries)]
            )
        } catch let error as DropboxError where error.answeredStatusCode == 400 {
            // One path that Dropbox can't read makes it refuse the whole request.
            return try await picturesOneByOne(of: paths, options)
        } catch let error as DropboxError {
            throw error.mapped()
        } catch let error as URLError where error.code == .dataLengthExceedsMaximum {
            // Each by itself may be short enough.
            return try await picturesOneByOne(of: paths, options)
        }
        guard case .list(let outcomes) = answer["entries"], outcomes.count == paths.count else {
            throw URLError.answer(.cannotParseResponse, description: "Dropbox answers about other pictures")
        }
        return zip(paths, outcomes).map { Self.picture($1, of: $0, wanted) }
    }

    private func picturesOneByOne(
        of paths: [ItemPath],
        _ options: ThumbnailOptions
    ) async throws -> [Result<Thumbnail, any Error>] {
        try await resultsInParallel(paths, concurrency: capabilities.recommendedConcurrency) {
            try await self.thumbnailOfFile(path: $0, options: options)
        }
    }

    private static func picture(
        _ outcome: JSONValue,
        of path: ItemPath,
        _ wanted: DropboxThumbnailRequest
    ) -> Result<Thumbnail, any Error> {
        guard outcome.tag == "success" else {
            return .failure(DropboxError(path: path, details: outcome["failure"]).mapped())
        }
        guard let data = outcome["thumbnail"].string.flatMap({ Data(base64Encoded: $0) }) else {
            return .failure(URLError.answer(.cannotParseResponse, about: path, description: "not a picture"))
        }
        return .success(thumbnail(data, wanted))
    }

    private static func thumbnail(_ data: Data, _ wanted: DropboxThumbnailRequest) -> Thumbnail {
        let size = PictureSize(data)
        return Thumbnail(data: data, contentType: wanted.contentType, width: size?.width, height: size?.height)
    }

    /// Returns what Dropbox has found out about a picture or a film.
    ///
    /// - Parameter path: The file.
    /// - Returns: Its dimensions, place, date and duration, as far as they are known; none as long as Dropbox is at work.
    /// - Throws: `CocoaError.featureUnsupported` for another kind of file; `.fileNoSuchFile`.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        let metadata = try await mappingRefusals {
            try await connection.call(
                "files/get_metadata",
                ["path": .text(DropboxPath.text(path)), "include_media_info": true],
                as: DropboxMetadata.self,
                about: path
            )
        }
        guard metadata.isFile, let info = metadata.mediaInfo else {
            throw CocoaError.unsupported("the properties of this file", path: path, isPlural: true)
        }
        return FileProperties(Self.properties(info["metadata"]))
    }

    private static func properties(_ media: JSONValue) -> [FileProperties.Property] {
        var properties: [FileProperties.Property] = []
        let (width, height) = (media["dimensions"]["width"].integer, media["dimensions"]["height"].integer)
        if let width, let height {
            properties.append(.init(.dimensions, .size(.init(width: Double(width), height: Double(height)))))
        }
        if let date = DropboxDate.date(media["time_taken"].string) {
            properties.append(.init(.dateTaken, .date(.init(date))))
        }
        if let latitude = media["location"]["latitude"].number, let longitude = media["location"]["longitude"].number,
            let location = FilePropertyValue.Location(latitude: latitude, longitude: longitude)
        {
            properties.append(.init(.location, .location(location)))
        }
        if let duration = media["duration"].integer {
            properties.append(.init(.duration, .duration(.milliseconds(duration))))
        }
        return properties
    }
}
