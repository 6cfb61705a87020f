import FerryCore
import Foundation

/// A shared folder, and the name under which it is shown.
struct DropboxShownFolder: Sendable {
    /// The folder.
    let folder: DropboxSharedFolder

    /// Its path.
    let path: ItemPath

    /// The provider whose paths begin at the folder.
    let provider: DropboxFileProvider

    /// Called when the folder may no longer be the one of this name.
    let forget: @Sendable () async -> Void

    /// The folder as it is listed.
    var item: FileObject {
        var item = FileObject(path: path, type: .directory)
        item.extras[.sharedFolder] = folder.id
        if folder.isReadOnly { item.extras[.isReadOnly] = true }
        return item
    }

    /// Returns an item of the folder with its path from the root.
    ///
    /// - Parameter item: The item, whose path begins at the folder.
    /// - Returns: The same item.
    func shown(_ item: FileObject) -> FileObject {
        FileObject(
            name: item.name,
            in: item.path.parent.replacing(.root, with: path),
            type: item.type,
            size: item.size,
            modifiedDate: item.modifiedDate,
            creationDate: item.creationDate,
            permissions: item.permissions,
            id: item.id,
            eTag: item.eTag,
            contentType: item.contentType,
            extras: item.extras
        )
    }

    /// Returns an error of the folder's provider with the item's path from the root.
    ///
    /// - Parameter error: The error, whose path begins at the folder.
    /// - Returns: The same error; a `URLError` stays as it is.
    func shown(_ error: any Error) -> any Error {
        switch error {
        case let error as CocoaError:
            let info = error.userInfo
            guard let text = info[NSFilePathErrorKey] as? String, let inner = ItemPath(text),
                !inner.beginsWithIdentifier
            else {
                return error
            }
            // The number of the space is that of the folder, and no option of the remote.
            let isGone = error.refusalByDropbox?.reason == .wrongRoot
            return CocoaError.file(
                error.code,
                path: inner.replacing(.root, with: path),
                description: isGone
                    ? "the folder is no longer shared with you" : info[NSLocalizedFailureReasonErrorKey] as? String,
                suggestion: isGone
                    ? "list what is shared with you again" : info[NSLocalizedRecoverySuggestionErrorKey] as? String,
                underlying: info[NSUnderlyingErrorKey] as? any Error
            )
        case let error as PreconditionFailedError:
            return PreconditionFailedError(
                path: error.path.replacing(.root, with: path),
                serverDescription: error.serverDescription
            )
        default: return error
        }
    }

    /// Does work in the folder.
    ///
    /// - Parameters:
    ///   - isolation: The caller's isolation.
    ///   - body: The work; it gets the folder's provider.
    /// - Returns: The result of the body.
    /// - Throws: The errors of the body, about paths from the root; a `URLError` stays as it is.
    func perform<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (DropboxFileProvider) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body(provider)
        } catch {
            throw await noted(error)
        }
    }

    /// Returns an error of the folder's provider with the item's path from the root, and notes that the folder may be gone.
    ///
    /// - Parameter error: The error, whose path begins at the folder.
    /// - Returns: The same error.
    func noted(_ error: any Error) async -> any Error {
        if error.isAboutSharedFolder { await forget() }
        return shown(error)
    }
}

extension Error {
    /// A Boolean value that indicates whether a shared folder is gone, or no longer shared as it was.
    fileprivate var isAboutSharedFolder: Bool {
        if let refusal = refusalByDropbox, [403, 422].contains(refusal.answeredStatusCode) { return true }
        return isNoSuchItem && (self as? CocoaError)?.userInfo[NSFilePathErrorKey] as? String == ItemPath.root.string
    }
}

/// A shared file, and the name under which it is shown.
struct DropboxShownFile: Sendable {
    /// The file.
    let file: DropboxSharedFile

    /// Its path.
    let path: ItemPath

    /// Returns the file as it is listed.
    ///
    /// - Parameter metadata: The description of the file; `nil` if it is not known.
    /// - Returns: The file, which can't be changed.
    func item(_ metadata: DropboxMetadata?) -> FileObject {
        var item = FileObject(path: path, type: .file)
        let known = metadata?.item(in: .root)
        (item.size, item.modifiedDate, item.eTag) = (known?.size, known?.modifiedDate, known?.eTag)
        item.extras[.isReadOnly] = true
        return item
    }
}
