import FerryCore
import Foundation

/// Where a file is to be, and what is there now.
struct SFTPWriteTarget: Sendable {
    /// The place, links followed.
    let place: SFTPPath

    /// The item that is there; `nil` if there is none.
    let existing: SFTPAttributes?

    /// The temporary file beside it.
    var temporary: SFTPPath { place.parent.appending(Array(name.utf8)) }

    private let name: String

    /// Makes a target.
    init(place: SFTPPath, existing: SFTPAttributes?, name: String = TemporaryName.make()) {
        self.place = place
        self.existing = existing
        self.name = name
    }
}

extension SFTPLine {
    /// Links that are followed, one after the other: as many as Linux follows.
    static let longestChain = 40

    /// Looks where a file is to be written, and refuses what can't be.
    ///
    /// - Parameters:
    ///   - path: The file; a link is followed, also to a file that is not there yet.
    ///   - options: The permission to replace a file.
    /// - Returns: The place.
    /// - Throws: `CocoaError.fileWriteFileExists`; `SFTPRefusal`.
    func writeTarget(_ path: ItemPath, _ options: WriteOptions) async throws -> SFTPWriteTarget {
        if options.ifMatch != nil { throw CocoaError.unsupported("writing on a condition", path: path) }
        if path.isRoot { throw CocoaError.itemExists(path) }
        var place = try self.path(path, whileWriting: true)
        for _ in 0..<Self.longestChain {
            let existing = try await connection.begin(.lstat(place)).attributesIfThere()
            guard let existing else { return SFTPWriteTarget(place: place, existing: nil) }
            switch existing.kind {
            case .symlink?:
                guard options.overwrite else { throw CocoaError.itemExists(path) }
                let text = try await connection.begin(.readlink(place)).name()
                place = text.first == UInt8(ascii: "/") ? SFTPPath(text) : place.parent.appending(text)
            case .file?, nil:
                guard options.overwrite else { throw CocoaError.itemExists(path) }
                return SFTPWriteTarget(place: place, existing: existing)
            case .directory?, .other?: throw CocoaError.itemExists(path)
            }
        }
        throw CocoaError.file(.fileWriteUnknown, path: path, description: "too many links lead to each other")
    }
}
