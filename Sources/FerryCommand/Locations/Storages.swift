import FerryCore
import FerryLocal
import FerryMemory
import Foundation

/// Opens the storages that locations name, each once.
final class Storages {
    private let paths: LocalPaths
    private var opened: [String: any Storage] = [:]

    /// Begins without any storage.
    ///
    /// - Parameter currentFolder: Where relative local paths begin; the process's own folder when `nil`.
    init(currentFolder: String? = nil) {
        paths = LocalPaths(currentFolder: currentFolder)
    }

    /// Finds out what a person means.
    ///
    /// - Parameter text: A local path, or `NAME:path`.
    /// - Returns: The location; whether anything is there is not asked.
    /// - Throws: `CocoaError` that names the text: an unknown storage, a `..` that leads nowhere.
    func location(_ text: String) throws -> Location {
        guard !text.isEmpty else {
            throw CocoaError.location("''", "a location can't be empty", "name a file or folder, such as '.'")
        }
        switch LocationSyntax(text) {
        case .local(let path):
            do {
                let absolute = try paths.absolutePath(path)
                return Location(text: text, storage: try storage(named: "", in: text), prefix: "", path: absolute)
            } catch let error as CocoaError {
                throw error.naming(text)
            }
        case .storage(let name, let path):
            let storage = try storage(named: name, in: text)
            guard let path = ItemPath(path) else {
                throw CocoaError.location(text, "not a valid path", "'..' can't lead above the top of a storage")
            }
            return Location(text: text, storage: storage, prefix: name + ":", path: path)
        }
    }

    private func storage(named name: String, in text: String) throws -> any Storage {
        if let storage = opened[name] { return storage }
        let storage: any Storage
        switch name {
        case "": storage = LocalFileProvider(baseURL: URL(filePath: "/", directoryHint: .isDirectory))
        case "memory": storage = MemoryFileProvider()
        default:
            throw CocoaError.location(
                text,
                "there is no storage called '\(name)'",
                "use 'memory:', or write './\(text)' for a local file"
            )
        }
        opened[name] = storage
        return storage
    }
}

extension CocoaError {
    /// Makes an error about what a person wrote.
    static func location(_ text: String, _ description: String, _ suggestion: String) -> CocoaError {
        CocoaError(
            .fileReadInvalidFileName,
            userInfo: [
                NSFilePathErrorKey: text,
                NSLocalizedDescriptionKey: description,
                NSLocalizedRecoverySuggestionErrorKey: suggestion,
            ]
        )
    }

    /// The same error under the name that a person used.
    fileprivate func naming(_ text: String) -> CocoaError {
        var info = userInfo
        info[NSFilePathErrorKey] = text
        return CocoaError(code, userInfo: info)
    }
}
