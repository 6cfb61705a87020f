import FerryCore
import Foundation

/// The surroundings of an operation: a line, the facts about its server, and where the provider's base folder is there.
struct SFTPLine: Sendable {
    let connection: SFTPConnection
    let facts: SFTPServerFacts
    let base: SFTPPath

    /// The path on the server.
    ///
    /// - Parameters:
    ///   - item: An item's path here.
    ///   - whileWriting: `true` if it is to be changed, for the error.
    /// - Returns: The path, which is below the base folder by its text.
    /// - Throws: `CocoaError` for a name that can't be one on a server, such as `..`, and for a path by identifier.
    func path(_ item: ItemPath, whileWriting: Bool = false) throws -> SFTPPath {
        if item.beginsWithIdentifier { throw CocoaError.unsupported("addressing by identifier", path: item) }
        return try item.components.reduce(base) { folder, component in
            let name = NameEscape.bytes(ofName: component)
            let isDots = name == [46] || name == [46, 46]
            guard !isDots, !name.contains(0), !name.contains(UInt8(ascii: "/")) else {
                throw CocoaError.file(
                    whileWriting ? .fileWriteInvalidFileName : .fileReadInvalidFileName,
                    path: item,
                    description: "a name can't be '.' or '..', nor have a slash or a NUL in it"
                )
            }
            return folder.appending(name)
        }
    }

    /// The parent's path on the server.
    func folder(of item: ItemPath) throws -> SFTPPath { try path(item.parent, whileWriting: true) }
}
