import FerryCore
import Foundation
import NIOCore

/// All errors of this provider are made here.
extension SFTPFileProvider {
    /// The error of a line that could not be made, or has ended.
    static func lineError(_ error: any Error) -> any Error {
        switch error {
        case let error as SFTPProtocolError:
            URLError.answer(
                .cannotParseResponse,
                description: "the server's answer is no SFTP: \(error)",
                suggestion: "a shell that prints something at a login spoils it, too"
            )
        case is SFTPConnectionOver:
            URLError.answer(.networkConnectionLost, description: "the line to the server has ended")
        case is IOError, is ChannelError:
            URLError.answer(.networkConnectionLost, description: "the line to the server has broken", underlying: error)
        case let refusal as SFTPRefusal:
            URLError.answer(
                .cannotParseResponse,
                description: "the server refuses what every one has: \(refusal.status.message)"
            )
        default: error
        }
    }

    /// The top of the storage can neither go nor move.
    static func rootStays(_ path: ItemPath) -> CocoaError {
        .file(.fileWriteNoPermission, path: path, description: "the top of a storage can't be removed or moved")
    }
}

extension SFTPLine {
    private func underlying(_ refusal: SFTPRefusal, _ path: ItemPath) -> SFTPServerError {
        SFTPServerError(code: refusal.code.rawValue, path: path, serverDescription: refusal.status.message)
    }

    /// The error of reading something.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - path: The item.
    /// - Returns: The error that a caller sees.
    func readError(_ error: any Error, _ path: ItemPath) async -> any Error {
        guard let refusal = error as? SFTPRefusal else { return SFTPFileProvider.lineError(error) }
        let cause = underlying(refusal, path)
        switch refusal.code {
        case .noSuchFile: return await missing(path, cause)
        case .permissionDenied: return CocoaError.file(.fileReadNoPermission, path: path, underlying: cause)
        case .badMessage: return CocoaError.file(.fileReadInvalidFileName, path: path, underlying: cause)
        case .unsupported: return unsupported(path, cause)
        default:
            if await isBelowFile(path) { return CocoaError.noSuchItem(path, underlying: cause) }
            let code: CocoaError.Code = hasLongName(path) ? .fileReadInvalidFileName : .fileReadUnknown
            return CocoaError.file(code, path: path, underlying: cause)
        }
    }

    /// Returns whether a file stands where one of the folders above should be: not every server says then that nothing
    /// is there.
    private func isBelowFile(_ path: ItemPath) async -> Bool {
        var folder = path
        while !folder.isRoot {
            folder = folder.parent
            do {
                let kind = try await connection.begin(.stat(self.path(folder))).attributes().kind
                return kind != nil && kind != .directory
            } catch {
                continue
            }
        }
        return false
    }

    /// Returns whether a name is longer than those of the server's file system.
    private func hasLongName(_ path: ItemPath) -> Bool {
        guard let limit = facts.maximumNameLength else { return false }
        return path.components.contains { NameEscape.bytes(ofName: $0).count > limit }
    }

    /// The error of opening a folder: OpenSSH calls a file missing there.
    func listingError(_ error: any Error, _ path: ItemPath) async -> any Error {
        guard let refusal = error as? SFTPRefusal, [.noSuchFile, .failure].contains(refusal.code) else {
            return await readError(error, path)
        }
        do {
            let there = try await connection.begin(.stat(self.path(path))).attributesIfThere()
            guard let there else { return await readError(SFTPRefusal(status: SFTPStatus(.noSuchFile)), path) }
            if let kind = there.kind, kind != .directory { return CocoaError.notAFolder(path) }
            return CocoaError.file(.fileReadUnknown, path: path, underlying: underlying(refusal, path))
        } catch {
            return await readError(error, path)
        }
    }

    /// No such item, unless all is gone: of a folder that is not mounted, nobody knows what is in it.
    private func missing(_ path: ItemPath, _ cause: SFTPServerError, whileWriting: Bool = false) async -> any Error {
        if path.isRoot { return CocoaError.noSuchItem(path, underlying: cause) }
        do {
            let look = connection.begin(.stat(base))
            if try await hasCircle(path) {
                return CocoaError.file(
                    whileWriting ? .fileWriteUnknown : .fileReadUnknown,
                    path: path,
                    description: "symbolic links lead in a circle",
                    underlying: cause
                )
            }
            if try await look.attributesIfThere() != nil { return CocoaError.noSuchItem(path, underlying: cause) }
            return CocoaError.file(
                whileWriting ? .fileWriteUnknown : .fileReadUnknown,
                path: path,
                description: "the folder that holds all of it is gone",
                underlying: cause
            )
        } catch is SFTPRefusal {
            return CocoaError.file(whileWriting ? .fileWriteUnknown : .fileReadUnknown, path: path, underlying: cause)
        } catch {
            return SFTPFileProvider.lineError(error)
        }
    }

    /// Returns whether links lead in a circle at a path or above it, which OpenSSH calls a missing file.
    private func hasCircle(_ path: ItemPath) async throws -> Bool {
        var (item, above) = (path, path.parent)
        var (look, next) = (
            connection.begin(.lstat(try self.path(item))), connection.begin(.lstat(try self.path(above)))
        )
        while true {
            if let kind = try await look.attributesIfThere()?.kind {
                guard kind == .symlink else { return false }
                return try await isCircle(self.path(item))
            }
            if above.isRoot { return false }
            (item, above, look) = (above, above.parent, next)
            next = connection.begin(.lstat(try self.path(above)))
        }
    }

    /// Returns whether a link and those that it leads to have no end.
    private func isCircle(_ link: SFTPPath) async throws -> Bool {
        var place = link
        for _ in 0..<Self.longestChain {
            let text = try await connection.begin(.readlink(place)).name()
            place = text.first == UInt8(ascii: "/") ? SFTPPath(text) : place.parent.appending(text)
            guard try await connection.begin(.lstat(place)).attributesIfThere()?.kind == .symlink else { return false }
        }
        return true
    }

    private func unsupported(_ path: ItemPath, _ cause: SFTPServerError) -> CocoaError {
        .file(.featureUnsupported, path: path, description: "the server can't do that", underlying: cause)
    }

    /// The error of changing something: servers have few codes, so what is there is looked at.
    ///
    /// - Parameters:
    ///   - error: The error that was thrown.
    ///   - path: The item that was to be.
    ///   - wantsAbsence: `true` if nothing may have its name.
    ///   - bytes: How much was to be written.
    /// - Returns: The error that a caller sees.
    func writeError(
        _ error: any Error,
        _ path: ItemPath,
        wantsAbsence: Bool = false,
        bytes: Int64 = 0
    ) async -> any Error {
        guard let refusal = error as? SFTPRefusal else { return SFTPFileProvider.lineError(error) }
        let cause = underlying(refusal, path)
        do {
            switch refusal.code {
            case .noSuchFile: return try await missingPlace(path, cause)
            case .permissionDenied:
                if let error = try await roomError(path, 0, cause, onlyReadOnly: true) { return error }
                return CocoaError.file(.fileWriteNoPermission, path: path, underlying: cause)
            case .badMessage: return CocoaError.file(.fileWriteInvalidFileName, path: path, underlying: cause)
            case .unsupported: return unsupported(path, cause)
            default:
                if hasLongName(path) {
                    return CocoaError.file(.fileWriteInvalidFileName, path: path, underlying: cause)
                }
            }
            let parent = try await connection.begin(.stat(folder(of: path))).attributesIfThere()
            if let kind = parent?.kind, kind != .directory {
                return CocoaError.notAFolder(path.parent, whileWriting: true)
            }
            if wantsAbsence, try await connection.begin(.lstat(self.path(path))).attributesIfThere() != nil {
                return CocoaError.itemExists(path, underlying: cause)
            }
            if let error = try await roomError(path, bytes, cause) { return error }
            return CocoaError.file(.fileWriteUnknown, path: path, underlying: cause)
        } catch let error as SFTPRefusal {
            return CocoaError.file(.fileWriteUnknown, path: path, underlying: underlying(error, path))
        } catch {
            return SFTPFileProvider.lineError(error)
        }
    }

    /// The place of an item is not there: its folder, or what should be one.
    private func missingPlace(_ path: ItemPath, _ cause: SFTPServerError) async throws -> any Error {
        if path.isRoot { return CocoaError.noSuchItem(path, underlying: cause) }
        guard let parent = try await connection.begin(.stat(folder(of: path))).attributesIfThere() else {
            // Below a file there is nothing either.
            var above = path.parent
            while !above.isRoot {
                above = above.parent
                guard let kind = try await connection.begin(.stat(self.path(above))).attributesIfThere()?.kind else {
                    continue
                }
                if kind != .directory { return CocoaError.notAFolder(above, whileWriting: true) }
                break
            }
            return await missing(path.parent, cause, whileWriting: true)
        }
        if let kind = parent.kind, kind != .directory { return CocoaError.notAFolder(path.parent, whileWriting: true) }
        return await missing(path, cause, whileWriting: true)
    }

    /// Returns whether the file system is full, or may only be read.
    private func roomError(
        _ path: ItemPath,
        _ bytes: Int64,
        _ cause: SFTPServerError,
        onlyReadOnly: Bool = false
    ) async throws -> CocoaError? {
        guard facts.has(.statvfs) else { return nil }
        var answer: ByteBuffer
        do {
            answer = try await connection.begin(.statvfs(folder(of: path))).extended()
        } catch is SFTPRefusal {
            return nil
        }
        let room = try SFTPFileSystem(from: &answer)
        if room.isReadOnly { return .file(.fileWriteVolumeReadOnly, path: path, underlying: cause) }
        let isFull = room.availableBytes <= max(bytes, 4096) || room.totalFiles > 0 && room.availableFiles == 0
        return isFull && !onlyReadOnly ? .file(.fileWriteOutOfSpace, path: path, underlying: cause) : nil
    }
}
