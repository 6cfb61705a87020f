package import FerryCore
package import Foundation

/// The way of one storage to take a file in pieces: what a provider writes to get uploads that go on after a cut or a
/// crash.
///
/// ``UploadSession`` does the rest: it cuts the content, sends several pieces at the same time where that is allowed,
/// repeats those that fail, remembers what the storage has, and finishes once it has everything.
///
/// Two kinds of storages fit. Some number the pieces and can say which they have (Nextcloud, S3): they may get several
/// at a time. Others only go on where they are (Dropbox, Google, OneDrive): they get one after the other.
///
/// | storage | `begin` | `send` | `acknowledged` | `finish` |
/// |---|---|---|---|---|
/// | Nextcloud v2 | `MKCOL uploads/…/id` | `PUT …/id/00001` | `PROPFIND …/id`: ``UploadAcknowledgement/parts(_:)`` | `MOVE …/id/.file` |
/// | S3 | `POST ?uploads` | `PUT ?partNumber=1` | `GET ?uploadId=…`: parts | `POST ?uploadId=…` |
/// | Google | `POST ?uploadType=resumable` | `PUT`, `Content-Range` | `PUT`, `Content-Range: bytes */N`: bytes | with the last piece |
package protocol UploadSessionDriver: Sendable {
    /// The largest size of pieces, and the number of them at a time.
    var limits: UploadPieceLimits { get }

    /// Begins a session for a file.
    ///
    /// - Parameter size: Bytes of the whole file; `nil` if that is not known beforehand.
    /// - Returns: The handle by which later requests find the session again; it is saved, so it holds no credential.
    /// - Throws: The storage's error: the target is forbidden, there is no room.
    func begin(size: Int64?) async throws -> UploadSessionHandle

    /// Sends one piece; sending the same again does no harm.
    ///
    /// - Parameters:
    ///   - piece: Which bytes, and their number.
    ///   - body: The bytes, that can be read again if the request must be repeated.
    ///   - session: The session.
    /// - Returns: A receipt that finishing needs of this piece, such as S3's ETag; `nil` if none.
    /// - Throws: ``UploadSessionLostError`` when the storage no longer knows the session; else what it says.
    func send(_ piece: UploadPiece, body: HTTPRequestBody, to session: UploadSessionHandle) async throws -> String?

    /// Asks what the storage has of a session.
    ///
    /// - Parameter session: A session that was begun, maybe by an earlier process.
    /// - Returns: The pieces or bytes that are safely there; `nil` if the storage no longer knows the session.
    /// - Throws: The error that keeps it from answering.
    func acknowledged(in session: UploadSessionHandle) async throws -> UploadAcknowledgement?

    /// Makes the file of the pieces, all of which are there.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - pieces: All pieces in order, with what ``send(_:body:to:)`` returned; without, where only the storage says that
    ///     they are there.
    ///   - size: Bytes in all.
    /// - Returns: The new file as the storage reports it, or `nil`.
    /// - Throws: ``UploadSessionLostError``; `CocoaError.fileWriteFileExists`, `PreconditionFailedError`; what the
    ///   storage says else.
    func finish(_ session: UploadSessionHandle, pieces: [UploadedPiece], size: Int64) async throws -> FileObject?

    /// Lets the storage forget a session; that it can't is of no interest.
    ///
    /// - Parameter session: The session.
    func abort(_ session: UploadSessionHandle) async
}

/// A way back to a session: its identifier, its URL, whatever a driver needs, without any credential.
package struct UploadSessionHandle: Sendable, Hashable, Codable {
    /// The storage's name for it.
    package var id: String

    /// The other values that the driver needs.
    package var values: [String: String]

    /// The date at which the storage will forget it; `nil` if it does not say.
    package var expires: Date?

    /// Makes a handle.
    ///
    /// - Parameters:
    ///   - id: The storage's name for it.
    ///   - values: The other values that the driver needs.
    ///   - expires: When the storage will forget it.
    package init(id: String, values: [String: String] = [:], expires: Date? = nil) {
        self.id = id
        self.values = values
        self.expires = expires
    }

    /// Returns whether the storage has forgotten it.
    ///
    /// - Parameter now: The time.
    /// - Returns: `false` also if the storage does not say when it forgets.
    package func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

/// A piece of a file.
package struct UploadPiece: Sendable, Hashable, Codable {
    /// Its number, from 1; later bytes have higher numbers.
    package var number: Int

    /// Its bytes' offsets in the file.
    package var range: Range<Int64>

    /// Indicates whether nothing follows; `false` also where nobody knows yet.
    package var isLast: Bool

    /// Makes a piece.
    ///
    /// - Parameters:
    ///   - number: Its number, from 1.
    ///   - range: Its bytes' offsets in the file.
    ///   - isLast: `true` if nothing follows.
    package init(number: Int, range: Range<Int64>, isLast: Bool = false) {
        self.number = number
        self.range = range
        self.isLast = isLast
    }
}

/// A piece that the storage has.
package struct UploadedPiece: Sendable, Hashable, Codable {
    /// The piece.
    package var piece: UploadPiece

    /// The receipt that the driver got for it.
    package var receipt: String?

    /// Makes a piece.
    ///
    /// - Parameters:
    ///   - piece: Which one.
    ///   - receipt: The receipt that the driver got for it.
    package init(piece: UploadPiece, receipt: String? = nil) {
        self.piece = piece
        self.receipt = receipt
    }
}

/// The pieces or bytes of a session that a storage has.
package enum UploadAcknowledgement: Sendable, Hashable {
    /// The lengths of the pieces that are there whole, by number.
    case parts([Int: Int64])
    /// All bytes before this offset.
    case bytes(upTo: Int64)
}

/// The storage no longer knows a session: everything must be sent again, in a new one.
package struct UploadSessionLostError: Error {
    /// The storage's own error.
    package let underlying: (any Error)?

    /// Makes the error.
    ///
    /// - Parameter underlying: The storage's own error.
    package init(underlying: (any Error)? = nil) {
        self.underlying = underlying
    }
}

extension PartialWrite {
    /// Works on the upload session behind a write.
    ///
    /// - Parameter body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: `PartialWriteLostError` if the storage no longer knows the session; else the error of `body`.
    package func reportingLoss<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as UploadSessionLostError {
            throw PartialWriteLostError(path: path, underlying: error.underlying)
        }
    }
}
