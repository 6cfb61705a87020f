import Foundation

extension DropboxCall {
    /// Answers `files/create_folder_v2`.
    func createFolder() throws -> DropboxResult {
        do {
            let fields = try makeFolder(text("path"))
            return .json(["metadata": .object(fields)])
        } catch let tag as DropboxTag {
            throw DropboxTag("path", tag)
        }
    }

    /// Answers `files/create_folder_batch`.
    func createFolders() -> DropboxResult {
        launch(failure: DropboxTag("too_many_files"), isAsync: flag("force_async")) {
            let results = (arguments["paths"]?.array ?? []).map { path -> JSONValue in
                do {
                    return [".tag": "success", "metadata": .object(try makeFolder(path.string ?? ""))]
                } catch let tag as DropboxTag {
                    return [".tag": "failure", "failure": DropboxTag("path", tag).json]
                } catch {
                    return [".tag": "failure", "failure": [".tag": "other"]]
                }
            }
            return ["entries": .array(results)]
        }
    }

    private func makeFolder(_ path: String) throws -> JSONObject {
        try storage.change { tree in
            let target = try scope.target(path, in: tree)
            do {
                let parent = try tree.makeFolders(target.folders, under: target.base, at: now)
                var name = target.name
                if let existing = tree.child(of: parent, named: name) {
                    guard flag("autorename") else {
                        throw existing.isFolder ? CloudError.folderConflict : .fileConflict
                    }
                    name = tree.freeName(name, in: parent, isFolder: true)
                }
                let folder = tree.makeFolder(named: name, in: parent, at: now)
                return scope.metadata(folder, in: tree, isTagged: false)
            } catch let error as CloudError {
                throw DropboxTag.write(error)
            }
        }
    }
}
