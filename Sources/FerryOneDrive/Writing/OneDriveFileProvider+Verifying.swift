import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import Logging
import Synchronization

extension OneDriveFileProvider {
    /// The extensions of files into which SharePoint writes properties of its own when they are uploaded.
    private static let rewrittenExtensions: Set = [
        "doc", "docm", "docx", "dot", "dotm", "dotx", "pot", "potm", "potx", "pps", "ppsm", "ppsx", "ppt", "pptm",
        "pptx",
        "xls", "xlsb", "xlsm", "xlsx", "xlt", "xltm", "xltx", "vsdx", "one", "aspx", "htm", "html", "mht", "mhtml",
    ]

    /// Compares a file that was written with what was sent; one that differs is taken back.
    ///
    /// Where the answer tells no size or no checksum, as it may right after an upload, the file is asked for; that
    /// request is repeated like any other.
    ///
    /// Libraries of SharePoint, and drives of organizations, which are made of them, change some files on purpose: their
    /// size and checksum are others than those of what was sent. Such a file is returned as it is, with a mark.
    ///
    /// - Parameters:
    ///   - item: The description of the file in the answer to its last bytes.
    ///   - hash: The QuickXorHash of what was sent; `nil` if an earlier process has sent some of it: then the file tells its
    ///     checksum, by which whoever has the content compares it.
    ///   - size: Bytes that were sent.
    ///   - commit: The way in which the content became a file.
    /// - Returns: The file.
    /// - Throws: `CocoaError.fileWriteUnknown` if it differs, or if it can't be asked for: then it stays.
    func verified(
        _ item: GraphItem,
        hash: String?,
        size: Int64,
        _ commit: OneDriveCommit
    ) async throws -> FileObject {
        note([item], foreignDriveID: commit.foreignDriveID)
        var item = item
        if item.size == nil || item.quickXor == nil { item = try await completed(item, commit) }
        var file = try fileObject(item, at: commit.path, foreignDriveID: commit.foreignDriveID)
        let hasSameSize = item.size.map { $0 == size } ?? true
        let hasSameHash = hash == nil || item.quickXor == nil || item.quickXor == hash
        if hasSameSize, hasSameHash {
            if let hash, item.quickXor == hash { file.extras[.isVerified] = true }
            return file
        }
        if size > 0, isRewritten(item) {
            environment.logger.debug("the service has rewritten a file", metadata: ["path": "\(commit.path)"])
            file.extras[.isRewritten] = true
            return file
        }
        let isTakenBack = await uncancelled { [item] in
            do {
                try await self.takeBack(item, commit)
                return true
            } catch let error as OneDriveError where error.reason == .changed {
                // Somebody has written it meanwhile.
                return true
            } catch {
                return false
            }
        }
        throw CocoaError.file(
            .fileWriteUnknown,
            path: commit.path,
            description: "what the service has stored is not what was sent\(isTakenBack ? "" : ", and still there")",
            suggestion: "try again"
        )
    }

    /// Returns what the service knows of a file by now, if that is still about the same content.
    private func completed(_ item: GraphItem, _ commit: OneDriveCommit) async throws -> GraphItem {
        let place = OneDrivePlace(
            address: GraphAddress(drive: commit.address.drive, id: item.id),
            foreignDriveID: commit.foreignDriveID
        )
        let now: GraphItem
        do {
            now = try await graphItem(at: place, about: commit.path)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw CocoaError.file(
                .fileWriteUnknown,
                path: commit.path,
                description: "the file is written, but could not be compared with what was sent",
                suggestion: "compare it, or write it again",
                underlying: (error as? OneDriveError)?.mapped() ?? error
            )
        }
        if let tag = item.cTag, let tagNow = now.cTag { return tag == tagNow ? now : item }
        return item.eTag == now.eTag ? now : item
    }

    /// Returns whether a file that differs from what was sent is one that SharePoint changes on purpose: what it changes
    /// has some content.
    private func isRewritten(_ item: GraphItem) -> Bool {
        guard let size = item.size, size > 0 else { return false }
        let type = item.parentReference?.driveType.map { OneDriveDriveType($0) } ?? drive.withLock { $0.type }
        guard type == .business || type == .documentLibrary, let name = item.name else { return false }
        return Self.rewrittenExtensions.contains(ItemPath.root.appending(name).pathExtension.lowercased())
    }

    /// Removes a damaged file, or brings back the content before it; what somebody has written meanwhile stays.
    private func takeBack(_ item: GraphItem, _ commit: OneDriveCommit) async throws {
        let address = GraphAddress(drive: commit.address.drive, id: item.id)
        if commit.conflict == .replace {
            // The service brings back versions without a condition.
            let place = OneDrivePlace(address: address, foreignDriveID: commit.foreignDriveID)
            guard try await graphItem(at: place, about: commit.path).eTag == item.eTag else { return }
            let versions = try await connection.call(.get, address.route("/versions"), about: commit.path)
            // The newest comes first, which is the damaged one.
            if let before = versions["value"].items.dropFirst().first?["id"].string {
                _ = try await connection.call(
                    .post,
                    address.route("/versions/\(GraphAddress.encoded(before))/restoreVersion"),
                    about: commit.path,
                    isIdempotent: false
                )
                return
            }
        }
        var fields = HTTPFields()
        fields[.ifMatch] = item.eTag
        _ = try await connection.call(
            .delete,
            address.route(),
            about: commit.path,
            fields: fields,
            isIdempotent: false
        )
    }

    /// Returns the file if it is what was to be written.
    ///
    /// - Parameters:
    ///   - commit: The way in which the content was to become a file.
    ///   - size: Bytes of the content.
    ///   - isDated: A Boolean value that indicates whether the file must have its date already.
    ///   - hash: Returns the QuickXorHash of the content; called only where all else agrees.
    /// - Returns: `nil` if another content is there, or none, or the name could be another one.
    /// - Throws: Errors of the connection; what `hash` throws.
    func storedFile(
        _ commit: OneDriveCommit,
        size: Int64,
        isDated: Bool = true,
        hash: () async throws -> String?
    ) async throws -> FileObject? {
        guard !commit.keepsBoth, let file = try await attributesIfExists(path: commit.path), file.isRegularFile,
            file.size == size,
            let told = file.extras[.checksums]?[.quickXor]
        else { return nil }
        if isDated, let date = commit.options.modifiedDate, OneDriveDate.settable.contains(date) {
            let precision = OneDriveDate.precision
            guard file.modifiedDate?.rounded(to: precision) == date.rounded(to: precision) else { return nil }
        }
        return try await hash() == told ? file : nil
    }

    /// Removes the versions before a file, where options want none, as far as the service lets them be removed.
    ///
    /// - Parameters:
    ///   - file: The file that was written.
    ///   - commit: The way in which it was written.
    func removeVersions(of file: FileObject, after commit: OneDriveCommit) async {
        guard options.keepsNoVersions, commit.conflict == .replace, let id = file.id else { return }
        do {
            let address = try await place(of: OneDriveItemID(id)).address
            let versions = try await connection.call(.get, address.route("/versions"), about: commit.path)
            for version in versions["value"].items.dropFirst() {
                guard let id = version["id"].string else { continue }
                let route = address.route("/versions/\(GraphAddress.encoded(id))")
                _ = try await connection.call(.delete, route, about: commit.path, isIdempotent: true)
            }
        } catch {
            // The file is written; drives that keep their versions say so.
            environment.logger.debug("versions stay", metadata: ["path": "\(commit.path)", "error": "\(error)"])
        }
    }
}

extension GraphItem {
    /// The checksum by which a file is compared with what was sent; `nil` if the answer tells none.
    fileprivate var quickXor: String? { file?.hashes?.quickXorHash.flatMap { $0.isEmpty ? nil : $0 } }
}
