import Foundation

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
