import FerryCore
import Foundation

/// Where the sources of `cp` and `mv` go, decided from what is there.
struct CopyDestination: Hashable {
    /// The kind of item at a path, if there is any.
    enum Presence: Hashable {
        case nothing
        case folder
        /// A file, or a link that leads to no folder.
        case other
    }

    /// The path of the new item.
    let path: ItemPath

    /// Finds the path of the new item.
    ///
    /// - Parameters:
    ///   - name: The source's name; empty for a folder whose contents are meant, such as `.` or a storage's root.
    ///   - isFolder: `true` if the source is a folder.
    ///   - target: The path that was named as target.
    ///   - presence: The kind of item there, links followed.
    ///   - demandsFolder: `true` if the target was written as a folder: `x/`.
    ///   - hasSeveralSources: `true` if other sources go there, too.
    /// - Throws: Why it can't be done, about the target.
    init(
        name: String,
        isFolder: Bool,
        target: ItemPath,
        presence: Presence,
        demandsFolder: Bool,
        hasSeveralSources: Bool
    ) throws {
        switch presence {
        case .folder:
            path = target.appending(name)
        case .other:
            if hasSeveralSources || demandsFolder { throw CocoaError.notAFolder(target, whileWriting: true) }
            if isFolder { throw CocoaError.folderOntoFile(target) }
            path = target
        case .nothing:
            if hasSeveralSources || (demandsFolder && !isFolder) { throw CocoaError.missingTarget(target) }
            path = target
        }
    }
}

extension CocoaError {
    /// The folder that shall take the sources does not exist.
    static func missingTarget(_ path: ItemPath) -> CocoaError {
        .file(
            .fileNoSuchFile,
            path: path,
            description: "no such folder",
            suggestion: "make it with 'ferry mkdir'"
        )
    }

    fileprivate static func folderOntoFile(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteFileExists,
            path: path,
            description: "a file is there, which a folder can't replace",
            suggestion: "choose another name"
        )
    }
}
