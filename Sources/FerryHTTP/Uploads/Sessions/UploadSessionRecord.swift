package import Foundation

/// The facts to remember so that an upload can go on after this process has ended.
package struct UploadSessionRecord: Sendable, Hashable, Codable {
    /// The identity of the source: when it is no longer the same, all begins anew.
    package var source: UploadSourceIdentity

    /// The handle of the session.
    package var session: UploadSessionHandle

    /// The pieces that the storage has taken, in any order.
    package var pieces: [UploadedPiece] = []

    /// The pieces that were cut, and maybe sent, but of which nobody knows whether they arrived.
    package var planned: [UploadPiece] = []

    /// Makes a record of a session that has just begun.
    ///
    /// - Parameters:
    ///   - source: The identity of the source.
    ///   - session: The handle of the session.
    package init(source: UploadSourceIdentity, session: UploadSessionHandle) {
        self.source = source
        self.session = session
    }

    /// Returns whether it can still be used.
    ///
    /// - Parameters:
    ///   - source: The identity of the source that is to be uploaded now.
    ///   - now: The time.
    /// - Returns: `false` if that is something else, or the storage has forgotten the session.
    package func isUsable(for source: UploadSourceIdentity, now: Date) -> Bool {
        self.source == source && !session.isExpired(at: now)
    }

    /// Keeps only the pieces that the storage says it has; the others must be sent again, as they were cut.
    ///
    /// A piece that was on its way when a process ended may have arrived without being noted: it counts too, without a
    /// receipt.
    ///
    /// - Parameter acknowledgement: The storage's answer.
    package mutating func keep(_ acknowledgement: UploadAcknowledgement) {
        switch acknowledgement {
        case .parts(let lengths):
            let sent = pieces + planned.map { UploadedPiece(piece: $0) }
            let isThere = { (sent: UploadedPiece) in lengths[sent.piece.number] == Int64(sent.piece.range.count) }
            pieces = sent.filter(isThere)
            planned = sent.filter { !isThere($0) }.map(\.piece).sorted { $0.number < $1.number }
        case .bytes(let end):
            // Bytes that the storage has count, whatever was noted: a piece may have arrived in part.
            planned = []
            pieces.removeAll { $0.piece.range.upperBound > end }
            let noted = pieces.map(\.piece.range.upperBound).max() ?? 0
            if end > noted { pieces.append(UploadedPiece(piece: UploadPiece(number: nextNumber, range: noted..<end))) }
        }
    }

    /// The number of the next piece to be cut.
    package var nextNumber: Int { (allPieces.map(\.number).max() ?? 0) + 1 }

    /// The offset of the next piece to be cut.
    package var nextOffset: Int64 { allPieces.map(\.range.upperBound).max() ?? 0 }

    /// Bytes that the storage has taken.
    package var uploadedBytes: Int64 { pieces.reduce(0) { $0 + Int64($1.piece.range.count) } }

    private var allPieces: [UploadPiece] { pieces.map(\.piece) + planned }
}

/// The facts that tell one content of a source from another.
package struct UploadSourceIdentity: Sendable, Hashable, Codable {
    /// The name of the source: a local path, an item of another storage.
    package var name: String
    /// Bytes.
    package var size: Int64
    /// The date at which it last changed.
    package var modifiedDate: Date?
    /// Its version, where it has one.
    package var eTag: String?

    /// Makes an identity.
    ///
    /// - Parameters:
    ///   - name: The name of the source.
    ///   - size: Bytes.
    ///   - modifiedDate: When it last changed.
    ///   - eTag: Its version.
    package init(name: String, size: Int64, modifiedDate: Date? = nil, eTag: String? = nil) {
        self.name = name
        self.size = size
        self.modifiedDate = modifiedDate
        self.eTag = eTag
    }
}

/// Content that can be read from any offset, and again.
package protocol UploadSource: Sendable {
    /// Returns what the source is now; asked before the upload, and again before it is finished.
    func identity() async throws -> UploadSourceIdentity

    /// Some of the bytes, as a body that can be sent again.
    ///
    /// - Parameter range: Offsets within the size.
    /// - Returns: The body.
    func body(_ range: Range<Int64>) -> HTTPRequestBody
}
