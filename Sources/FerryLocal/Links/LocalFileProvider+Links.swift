public import FerryCore
import Foundation

extension LocalFileProvider: FileProviderSymbolicLink {
    /// Makes a symbolic link.
    ///
    /// It may lead out of the base folder; nothing will follow it there.
    ///
    /// - Parameters:
    ///   - path: Where the link will be; nothing may exist there.
    ///   - destination: The text of the link, kept as it is.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileNoSuchFile` without a folder to put it in.
    public func create(symbolicLink path: ItemPath, withDestination destination: String) async throws {
        try await run(writing: [path]) { [base] in
            let place = try base.placeToCreate(path)
            let bytes = NameEscape.bytes(ofName: destination)
            do {
                if bytes.contains(0) || bytes.isEmpty { throw Errno.invalidName }
                if path.isRoot { throw Errno(EEXIST) }
                try place.folder.createLink(place.name, to: bytes.map { CChar(bitPattern: $0) } + [0])
            } catch let error as Errno {
                throw error.mapped(.naming, path)
            }
        }
    }

    /// The text of a symbolic link.
    ///
    /// - Parameter path: The link.
    /// - Returns: Its text, as it was written.
    /// - Throws: `CocoaError.fileReadUnknown` for anything but a link.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> String {
        try await pool.run { [base] in
            do {
                let place = try base.place(of: path)
                return try place.folder.linkDestination(place.name).linkText
            } catch let error as Errno where error.code == EINVAL {
                throw CocoaError.file(
                    .fileReadUnknown,
                    path: path,
                    description: "it is not a symbolic link",
                    underlying: error.underlying
                )
            } catch let error as Errno {
                throw error.mapped(.reading, path)
            }
        }
    }
}
