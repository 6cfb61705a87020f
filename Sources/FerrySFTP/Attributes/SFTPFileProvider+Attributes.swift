public import FerryCore
public import Foundation

extension SFTPFileProvider: FileProviderItemAttributes {
    /// Dates and permissions; the protocol knows no extended attributes.
    public var settableAttributes: ItemAttributes.Kinds { [.fileDates, .folderDates, .permissions] }

    /// Sets attributes; the time of access stays as it is.
    ///
    /// - Parameters:
    ///   - attributes: The attributes to set; extended attributes are left out.
    ///   - path: The item; of a link the link itself, where the server can, which has a date only.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`; `.featureUnsupported` for dates that the protocol
    ///   can't say, and for those of links at a server that can't set them.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        let line = try await line()
        let place = try line.path(path, whileWriting: true)
        do {
            let before = try await line.connection.begin(path.isRoot ? .stat(place) : .lstat(place)).attributes()
            let isLink = before.kind == .symlink
            var changes = SFTPAttributes()
            if !isLink { changes.mode = attributes.permissions.map(UInt32.init) }
            let times = attributes.modifiedDate.map {
                SFTPAttributes.Times(modified: $0, accessed: before.times?.accessed)
            }
            changes.times = times ?? nil
            if changes != SFTPAttributes(), !isLink || line.facts.has(.lsetstat) {
                try await line.connection.begin(isLink ? .lsetstat(place, changes) : .setstat(place, changes)).success()
            }
            let isLeftOut = times.map { $0 == nil } ?? false || isLink && times != nil && !line.facts.has(.lsetstat)
            if isLeftOut { throw CocoaError.unsupported("this date", path: path) }
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
            throw await line.readError(refusal, path)
        } catch {
            throw await line.writeError(error, path)
        }
    }

    /// None: the protocol knows no such thing.
    ///
    /// - Parameter path: A file or folder.
    /// - Returns: Nothing.
    /// - Throws: `CocoaError.fileNoSuchFile`.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] {
        let line = try await line()
        let place = try line.path(path)
        do {
            _ = try await line.connection.begin(path.isRoot ? .stat(place) : .lstat(place)).attributes()
            return [:]
        } catch {
            throw await line.readError(error, path)
        }
    }
}
