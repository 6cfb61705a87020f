import FerryCore
import Foundation

extension Location {
    /// The folder that is meant; a link to a folder is as good as the folder.
    ///
    /// - Returns: Where it is.
    /// - Throws: `CocoaError.notAFolder` if something else is there; `fileNoSuchFile`.
    func folder() async throws -> Location {
        let (place, item) = try await following()
        guard item.isDirectory else { throw CocoaError.notAFolder(path) }
        return try place.withoutLinksAbove()
    }

    /// The folder that is meant, or where it will be.
    ///
    /// - Throws: `CocoaError.notAFolder` if something else is there.
    func folderOrNothing() async throws -> Location {
        do {
            return try await folder()
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return try withoutLinksAbove()
        }
    }
}
