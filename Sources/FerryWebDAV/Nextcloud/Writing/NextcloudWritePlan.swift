import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// How a file is to be written, so that its name never shows half of it, and that it stays the same file.
struct NextcloudWritePlan: Sendable, Hashable {
    /// Which way the content takes.
    enum Route: Sendable, Hashable {
        /// By one `PUT`.
        case put
        /// In chunks, assembled by one `MOVE`.
        case chunks
    }

    /// Which way the content takes.
    let route: Route

    /// The condition of the write.
    let condition: WebDAVRefusal.Condition

    /// Indicates whether nothing stands at the path yet, or the write fails.
    let isNew: Bool

    /// The eTag that the file must still have.
    let eTag: String?

    /// The date to give the file, in seconds since 1970; the server's own time if `nil`.
    private let seconds: Int64?

    /// A date that only a request of its own can set: the field of uploads takes none before the second day of 1970.
    var lateDate: Int64? { seconds.flatMap { $0 > 86_400 ? nil : $0 } }

    /// The date for the field of uploads.
    var date: String? { seconds.flatMap { $0 > 86_400 ? String($0) : nil } }

    /// Decides.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - length: Bytes.
    ///   - options: The caller's options.
    ///   - state: The item there, if it was looked at.
    ///   - takesChunks: `true` if the server takes chunks.
    ///   - now: The time.
    /// - Throws: `CocoaError.fileWriteFileExists`; `PreconditionFailedError`; why the state isn't known.
    init(
        path: ItemPath,
        length: Int64,
        options: WriteOptions,
        state: WebDAVItemState?,
        takesChunks: Bool,
        now: Date
    ) throws {
        var previous: FileObject?
        switch state {
        case .folder?: throw CocoaError.itemExists(path)
        case .unknown(let error)?: throw error
        case .file(let file)?:
            guard options.overwrite || options.ifMatch != nil else { throw CocoaError.itemExists(path) }
            previous = file
        case .missing?:
            guard options.ifMatch == nil else { throw PreconditionFailedError(path: path) }
        case nil: break
        }
        if let eTag = options.ifMatch {
            guard let tag = WebDAVWritePlan.strong(eTag), previous?.eTag == nil || previous?.eTag == tag else {
                throw PreconditionFailedError(path: path)
            }
            self.eTag = tag
            condition = .unchanged
        } else {
            eTag = nil
            condition = options.overwrite ? .none : .absence
        }
        isNew = previous == nil
        seconds = Self.seconds(options.modifiedDate, after: previous, now: now)
        // A replaced file, and one that might be there by now, must not be torn; an empty one can't be.
        let isSafe = isNew && condition == .absence || length == 0 || !options.atomically
        route = !takesChunks || isSafe && length <= NextcloudFileProvider.largeSize ? .put : .chunks
    }

    /// The date that the file is to get.
    ///
    /// A file that is replaced within the second in which it was written would keep its eTag, and its version its name,
    /// for both are made of the date: so it becomes a second younger.
    private static func seconds(_ date: Date?, after previous: FileObject?, now: Date) -> Int64? {
        if let date { return Int64(date.timeIntervalSince1970.rounded(.down)) }
        guard let before = previous?.modifiedDate, before > now.addingTimeInterval(-3), before < now + 60 else {
            return nil
        }
        return Int64(before.timeIntervalSince1970.rounded(.down)) + 1
    }

    /// The fields of a `PUT`.
    var fields: HTTPFields {
        var fields = HTTPFields()
        if condition == .absence { fields[.ifNoneMatch] = "*" }
        fields[.ifMatch] = eTag
        fields[.modifiedTime] = date
        return fields
    }

    /// The date that the server has confirmed.
    func confirmedDate(_ head: HTTPResponse) -> Date? {
        guard head.headerFields[.modifiedTime]?.lowercased() == "accepted" || lateDate != nil else { return nil }
        return seconds.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
