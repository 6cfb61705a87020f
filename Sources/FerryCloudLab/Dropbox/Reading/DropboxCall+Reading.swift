import Foundation
import NIOHTTP1
import Synchronization

extension DropboxCall {
    private static let linkLifetime: TimeInterval = 4 * 3600

    /// Answers `files/download`.
    func download() throws -> DropboxResult {
        try storage.read { tree in
            do {
                let (item, version) = try version(tree)
                guard item?.exports.isEmpty ?? true else {
                    throw DropboxRefusal.route(DropboxTag("unsupported_file"))
                }
                let path = item.flatMap { tree.path(of: $0.id, from: scope.base) }
                let name = item?.name ?? version.path.last ?? ""
                let fields = scope.metadata(version, of: version.itemID, named: name, path: path, isTagged: false)
                return .download(.object(fields), version.content, version: version.number)
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
    }

    private func version(_ tree: CloudTree) throws -> (item: CloudItem?, version: CloudVersion) {
        if let revision = arguments["rev"]?.string { return try scope.version("rev:" + revision, in: tree) }
        return try scope.version(text("path"), in: tree)
    }

    /// Answers `files/get_temporary_link`.
    func temporaryLink() throws -> DropboxResult {
        let (fields, content) = try storage.read { tree in
            do {
                let (item, version) = try version(tree)
                guard item?.exports.isEmpty ?? true else {
                    throw DropboxRefusal.route(DropboxTag("unsupported_file"))
                }
                let path = item.flatMap { tree.path(of: $0.id, from: scope.base) }
                let name = item?.name ?? version.path.last ?? ""
                let fields = scope.metadata(version, of: version.itemID, named: name, path: path, isTagged: false)
                return (fields, version.content)
            } catch let tag as DropboxTag {
                throw DropboxTag("path", tag)
            }
        }
        let url = makeLink(.download(content), path: "apitl", lifetime: Self.linkLifetime)
        return .json(["metadata": .object(fields), "link": .string(url)])
    }

    /// Answers `files/get_temporary_upload_link`.
    func temporaryUploadLink() -> DropboxResult {
        let lifetime: TimeInterval =
            switch arguments["duration"] {
            case .integer(let seconds)?: TimeInterval(seconds)
            case .number(let seconds)?: seconds
            default: Self.linkLifetime
            }
        let commit = DropboxCommit(arguments["commit_info"] ?? .null)
        return .json(["link": .string(makeLink(.upload(commit, scope), path: "apitul", lifetime: lifetime))])
    }

    private func makeLink(_ purpose: DropboxTemporaryLink.Purpose, path: String, lifetime: TimeInterval) -> String {
        let id = lab.makeText(length: 40)
        let link = DropboxTemporaryLink(
            account: account,
            purpose: purpose,
            expires: now.addingTimeInterval(lifetime)
        )
        lab.state.withLock { $0.temporaryLinks[id] = link }
        return "\(request.baseURLs["content"] ?? "")/\(path)/1/\(id)"
    }
}

extension DropboxCall {
    /// Answers `files/export`.
    func export() throws -> DropboxResult {
        try storage.read { tree in
            let item: CloudItem
            do throws(DropboxTag) {
                item = try scope.item(text("path"), in: tree)
            } catch {
                throw DropboxTag("path", error)
            }
            guard let version = item.version else { throw DropboxTag("path", DropboxTag("not_file")) }
            guard let first = item.exports.first else { throw DropboxTag("non_exportable") }
            let format = arguments["export_format"]?.string ?? first.format
            guard let export = item.exports.first(where: { $0.format == format }) else {
                throw DropboxTag("invalid_export_format")
            }
            let stem = item.name.lastIndex(of: ".").map { item.name[..<$0] } ?? item.name[...]
            let hashes = CloudHasher.hashes(of: export.content, [.dropbox])
            let metadata: JSONValue = [
                "export_metadata": [
                    "name": .string("\(stem).\(format == "markdown" ? "md" : format)"),
                    "size": .integer(export.content.count), "export_hash": .string(hashes[.dropbox] ?? ""),
                    "paper_revision": .integer(Int64(version.number)),
                ],
                "file_metadata": .object(scope.metadata(item, in: tree, isTagged: false)),
            ]
            return .download(metadata, export.content, version: version.number)
        }
    }
}
