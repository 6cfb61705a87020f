import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Folders that are asked for at most before some paths are shown; beyond, they stay as Dropbox writes them.
    private static let mostQuestions = 200

    /// Finds out how the folders of some paths are spelt, of which `path_display` says nothing reliable.
    ///
    /// - Parameters:
    ///   - texts: Paths as Dropbox writes them.
    ///   - known: Folders that need not be asked for, in the form that is the same for any spelling.
    /// - Throws: ``DropboxError``; errors of the connection.
    func learnSpelling(of texts: some Sequence<String>, besides known: Set<String> = []) async throws {
        var unknown: Set<String> = []
        for text in texts {
            var key = DropboxPath.parent(ofKey: DropboxPath.key(text))
            while !key.isEmpty, seen.item(at: key) == nil, !known.contains(key), unknown.insert(key).inserted {
                key = DropboxPath.parent(ofKey: key)
            }
        }
        // A folder comes before those in it.
        for key in unknown.sorted(by: { $0.utf8.count < $1.utf8.count }).prefix(Self.mostQuestions) {
            do {
                let metadata = try await connection.call(
                    "files/get_metadata",
                    ["path": .text(key)],
                    as: DropboxMetadata.self
                )
                guard let place = metadata.pathDisplay.flatMap({ seen.path($0) }) else { continue }
                if let folder = metadata.item(in: place.parent) { seen.note(folder) }
            } catch let error as DropboxError where error.reason == .noSuchItem {
                // An item that is gone needs no spelling.
            }
        }
    }
}
