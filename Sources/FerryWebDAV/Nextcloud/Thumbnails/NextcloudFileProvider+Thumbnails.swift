public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// The server's previews, and what it tells of pictures.
extension NextcloudFileProvider: ExtendedFileProvider {
    /// More than any preview has.
    private static let largestPreview = 32 << 20

    /// The extensions of files that a server can be set up to make previews of.
    private static let pictured: Set<String> = [
        "png", "jpg", "jpeg", "gif", "bmp", "xbm", "webp", "heic", "heif", "avif", "tif", "tiff", "svg", "krita", "kra",
        "txt", "md", "markdown", "pdf", "mp3", "mp4", "mov", "mkv", "avi", "webm", "odt", "ods", "odp", "odg", "doc",
        "docx", "xls", "xlsx", "ppt", "pptx", "ai", "eps", "psd", "ttf", "otf",
    ]

    /// The extensions of files whose properties a server reads.
    private static let measured: Set<String> = ["png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "tif", "tiff"]

    /// Returns whether a thumbnail can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for one is useless.
    public func thumbnailOfFileSupported(path: ItemPath) -> Bool {
        Self.pictured.contains(path.pathExtension.lowercased())
    }

    /// Returns whether properties can be expected, judged by the name's extension alone.
    ///
    /// - Parameter path: The item; it need not exist.
    /// - Returns: `false` if asking for them is useless.
    public func propertiesOfFileSupported(path: ItemPath) -> Bool {
        Self.measured.contains(path.pathExtension.lowercased())
    }

    /// A small picture of an item, as the server makes it.
    ///
    /// The server has few sizes: it takes the next larger one, or what the file itself has, and the answer says which.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made; without a size, 256 pixels.
    /// - Returns: The picture, with the size that it really has.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for a file of which the server has none.
    public func thumbnailOfFile(path: ItemPath, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await picture(path, options, isListed: false)
    }

    /// A small picture of a file that was listed: where the server has none, it isn't asked whether the file is there.
    ///
    /// - Parameters:
    ///   - item: The file, as the server has described it.
    ///   - options: How it is to be made; without a size, 256 pixels.
    /// - Returns: The picture, with the size that it really has.
    /// - Throws: As ``thumbnailOfFile(path:options:)``.
    public func thumbnail(of item: FileObject, options: ThumbnailOptions?) async throws -> Thumbnail {
        try await picture(item.path, options, isListed: true)
    }

    private func picture(_ path: ItemPath, _ options: ThumbnailOptions?, isListed: Bool) async throws -> Thumbnail {
        let options = options ?? ThumbnailOptions()
        guard options.page == 1 else { throw CocoaError.unsupported("a picture of another page", path: path) }
        let located = try await located(path)
        var query = [
            ("file", serverPath(located)), ("x", Self.side(options.width, options.height, options.mode)),
            ("y", Self.side(options.height, options.width, options.mode)),
            ("a", options.mode == .fit ? "1" : "0"), ("forceIcon", "0"),
        ]
        if options.mode == .fill { query.append(("mode", "cover")) }
        let target = "\(place.prefix)/index.php/core/preview.png?\(OCSClient.encoded(query))"
        let reply = try await connection.session.send(
            place.origin.request(.get, target, [.accept: "image/*"]),
            options: HTTPRequestOptions(path: path, followsRedirects: false)
        )
        let type = reply.head.headerFields[.contentType] ?? ""
        guard reply.status == .ok, type.hasPrefix("image/") else {
            throw await noPicture(reply, path: path, isListed: isListed)
        }
        let data = try await reply.decoded(limit: Int64(Self.largestPreview)).body.collect(upTo: Self.largestPreview)
        let size = PictureSize(data)
        return Thumbnail(data: data, contentType: type, width: size?.width, height: size?.height)
    }

    /// A side as the server wants it: -1 for what follows from the other one.
    private static func side(_ side: Int?, _ other: Int?, _ mode: ThumbnailOptions.Mode) -> String {
        if let side { return String(max(1, side)) }
        guard let other else { return "256" }
        return mode == .fit ? "-1" : String(max(1, other))
    }

    /// Why there is no picture: the file is missing, or it is of a kind that has none.
    private func noPicture(_ reply: HTTPReply, path: ItemPath, isListed: Bool) async -> any Error {
        do {
            let answer = try await HTTPServerError.read(reply, path: path)
            guard [200, 303, 400, 404].contains(answer.statusCode) else { return answer.mapped() }
            if !isListed { _ = try await attributesOfItem(path: path) }
            return CocoaError.unsupported("a picture of this file", path: path)
        } catch {
            return error
        }
    }

    /// Returns what the server knows about a picture: its size, when and with what it was taken, and where.
    ///
    /// - Parameter path: The item.
    /// - Returns: Its properties; none if the server knows nothing.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` for a kind of file that has none.
    public func propertiesOfFile(path: ItemPath) async throws -> FileProperties {
        let target = connection.target(try await located(path), isFolder: false)
        let names = PictureMetadata.names
        guard let entry = try await entries(at: target, depth: .item, names, about: path).first else {
            throw CocoaError.noSuchItem(path)
        }
        guard propertiesOfFileSupported(path: path) else {
            throw CocoaError.unsupported("the properties of this file", path: path, isPlural: true)
        }
        return FileProperties(PictureMetadata.properties(entry.properties))
    }
}
