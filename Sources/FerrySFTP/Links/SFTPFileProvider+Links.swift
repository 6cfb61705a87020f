public import FerryCore
import Foundation

extension SFTPFileProvider: FileProviderSymbolicLink {
    /// Makes a symbolic link.
    ///
    /// - Parameters:
    ///   - path: Where the link will be; nothing may exist there.
    ///   - destination: The text of the link, kept as it is; an absolute one counts from the server's top.
    /// - Throws: `CocoaError.fileWriteFileExists`; `.fileNoSuchFile` without a folder to put it in.
    public func create(symbolicLink path: ItemPath, withDestination destination: String) async throws {
        let line = try await line()
        let place = try line.path(path, whileWriting: true)
        let text = NameEscape.bytes(ofName: destination)
        guard !text.isEmpty, !text.contains(0) else {
            throw CocoaError.file(.fileWriteInvalidFileName, path: path, description: "a link needs a text without NUL")
        }
        do {
            try await line.connection.begin(.symlink(place, text: text)).success()
        } catch {
            throw await line.writeError(error, path, wantsAbsence: true)
        }
    }

    /// The text of a symbolic link.
    ///
    /// - Parameter path: The link.
    /// - Returns: Its text, as it was written.
    /// - Throws: `CocoaError.fileReadUnknown` for anything but a link.
    public func destination(ofSymbolicLink path: ItemPath) async throws -> String {
        let line = try await line()
        let place = try line.path(path)
        do {
            let look = line.connection.begin(.lstat(place))
            let reading = line.connection.begin(.readlink(place))
            guard try await look.attributes().kind == .symlink else { throw CocoaError.notALink(path) }
            return NameEscape.name(ofBytes: try await reading.name())
        } catch {
            throw await line.readError(error, path)
        }
    }
}
