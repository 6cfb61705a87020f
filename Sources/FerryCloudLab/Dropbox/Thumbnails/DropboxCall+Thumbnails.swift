import Foundation

extension DropboxCall {
    private static let sizes = [
        "w32h32", "w64h64", "w128h128", "w256h256", "w480h320", "w640h480", "w960h640", "w1024h768", "w2048h1536",
        "w3200h2400",
    ]
    private static let maximumImage: Int64 = 20_000_000
    private static let maximumBatch = 25

    static let thumbnailOptions = DropboxShape(
        .defaulted("format", .union(["jpeg": nil, "png": nil, "webp": nil])),
        .defaulted("size", .union(Dictionary(uniqueKeysWithValues: sizes.map { ($0, nil) }))),
        .defaulted("mode", .union(["strict": nil, "bestfit": nil, "fitone_bestfit": nil, "original": nil])),
        .defaulted("quality", .union(["quality_80": nil, "quality_90": nil])),
        .optional("exclude_media_info", .bool),
        // Missing in the published description, but the vendor's Python SDK sends it.
        .optional("preserve_transparency", .bool)
    )

    /// Answers `files/get_thumbnail_v2`.
    func thumbnail() throws -> DropboxResult {
        guard case ("path", let path?)? = arguments["resource"]?.tagged else { throw DropboxTag("access_denied") }
        let (fields, bytes, version) = try thumbnail(of: path.string ?? "", arguments)
        return .download(["file_metadata": .object(fields)], CloudContent(bytes), version: version)
    }

    /// Answers `files/get_thumbnail_batch`.
    func thumbnails() throws -> DropboxResult {
        let entries = arguments["entries"]?.array ?? []
        guard entries.count <= Self.maximumBatch else { throw DropboxTag("too_many_files") }
        let results = entries.map { entry -> JSONValue in
            do {
                let (fields, bytes, _) = try thumbnail(of: entry["path"]?.string ?? "", entry)
                return [
                    ".tag": "success", "metadata": .object(fields),
                    "thumbnail": .string(Data(bytes).base64EncodedString()),
                ]
            } catch let tag as DropboxTag {
                return [".tag": "failure", "failure": tag.json]
            } catch {
                return [".tag": "failure", "failure": [".tag": "conversion_error"]]
            }
        }
        return .json(["entries": .array(results)])
    }

    private func thumbnail(
        of path: String,
        _ options: JSONValue
    ) throws -> (fields: JSONObject, bytes: [UInt8], version: Int) {
        let (item, version, fields) = try storage.read { tree in
            do throws(DropboxTag) {
                let (item, version) = try scope.version(path, in: tree)
                let place = item.flatMap { tree.path(of: $0.id, from: scope.base) }
                let name = item?.name ?? version.path.last ?? ""
                let fields = scope.metadata(version, of: version.itemID, named: name, path: place, isTagged: false)
                return (name, version, fields)
            } catch {
                throw DropboxTag("path", error)
            }
        }
        guard DropboxCategory(name: item) == .image else { throw DropboxTag("unsupported_extension") }
        guard version.size > 0, version.size <= Self.maximumImage else { throw DropboxTag("unsupported_image") }
        let size = (options["size"]?.tagged?.tag ?? "w64h64").split { !$0.isNumber }.compactMap { Int($0) }
        let (width, height) = (size.first ?? 64, size.last ?? 64)
        let bytes: [UInt8] =
            switch options["format"]?.tagged?.tag {
            case "png"?: BlankPicture.png(width: width, height: height)
            case "webp"?: BlankPicture.webp(width: width, height: height)
            default: BlankPicture.jpeg(width: width, height: height)
            }
        return (fields, bytes, version.number)
    }
}
