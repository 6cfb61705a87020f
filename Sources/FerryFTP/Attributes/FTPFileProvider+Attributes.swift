public import FerryCore
public import Foundation

extension FTPFileProvider {
    /// Returns what the server knows about one item: by `MLST` where it has that, else by the listing of the folder
    /// above.
    ///
    /// - Parameter path: The item.
    /// - Returns: The item as a listing shows it.
    /// - Throws: `CocoaError.fileNoSuchFile` only when the server clearly says that there is no such item.
    public func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard let item = try await item(at: path) else { throw CocoaError.noSuchItem(path) }
        return item
    }

    /// Returns what stands at a path.
    ///
    /// - Parameters:
    ///   - path: Any path.
    ///   - progress: Cancelling it ends the question.
    /// - Returns: The item; `nil` if it is clear that there is none.
    /// - Throws: Why that can't be known.
    func item(at path: ItemPath, reporting progress: Progress? = nil) async throws -> FileObject? {
        do {
            return try await call(path, reporting: progress) { try $0.item(at: path) }
        } catch let clock as FTPClockUnknown {
            try await call(path) { try $0.learnClock(clock) }
            return try await call(path, reporting: progress) { try $0.item(at: path) }
        }
    }
}

extension FTPFileProvider: FileProviderItemAttributes {
    /// Dates of files where the server has a command for them, and permissions where it has `SITE CHMOD`.
    public var settableAttributes: ItemAttributes.Kinds {
        let facts = server.known
        var kinds: ItemAttributes.Kinds = []
        if facts.dateSetting != nil { kinds.insert(.fileDates) }
        if facts.isKnown, !facts.isWindows, !facts.unknownCommands.contains("SITE") { kinds.insert(.permissions) }
        return kinds
    }

    /// Sets a date and permissions.
    ///
    /// - Parameters:
    ///   - attributes: The attributes to set.
    ///   - path: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`, `.fileWriteNoPermission`, `.featureUnsupported`.
    public func setAttributes(_ attributes: ItemAttributes, path: ItemPath) async throws {
        guard !attributes.isEmpty else { return }
        try await call(path, isWriting: true) { session in
            let isWritten = session.server.takeWritten(path)
            let kind = isWritten ? .file : try session.item(at: path)?.type
            guard let kind else { throw CocoaError.noSuchItem(path) }
            if kind == .symlink { throw CocoaError.unsupported("setting a link's attributes", path: path) }
            var isPartial = !attributes.extendedAttributes.isEmpty
            do {
                if attributes.permissions != nil, isWritten, session.server.refusesPermissions(in: path.parent) {
                    isPartial = true
                } else if let permissions = attributes.permissions {
                    let octal = String(permissions & 0o7777, radix: 8)
                    let place = try session.server.path(of: path)
                    let reply = try session.command("SITE CHMOD \(octal)", place)
                    if reply.isUnknownCommand {
                        isPartial = true
                    } else if reply.isRefusal {
                        // A file of ours, and not even that.
                        if isWritten, reply.code >= 500 { session.server.note(refusingPermissionsIn: path.parent) }
                        throw FTPFailure.refusal(reply)
                    }
                }
                if let date = attributes.modifiedDate {
                    if kind == .directory || session.server.known.dateSetting == nil {
                        isPartial = true
                    } else {
                        try session.setDate(date, of: path)
                    }
                }
            } catch let failure as FTPFailure {
                throw try session.explained(failure, changing: path, isThere: isWritten)
            }
            if isPartial { throw CocoaError.unsupported("setting some of these attributes", path: path) }
        }
    }

    /// None: FTP has no such thing.
    ///
    /// - Parameter path: Any item.
    /// - Returns: Nothing.
    /// - Throws: Nothing.
    public func extendedAttributes(path: ItemPath) async throws -> [String: Data] { [:] }
}
