import FerryCore
import Foundation

/// A record of what was cut, sent and taken of one upload; remembered in a store at each step.
actor UploadLedger {
    private let limits: UploadPieceLimits
    private let size: Int64
    private let remember: @Sendable (UploadSessionRecord) async throws -> Void

    private(set) var record: UploadSessionRecord
    /// The task that remembers records: one after the other, so that the last word is the newest.
    private var remembering: Task<Void, any Error>?
    private var unsent: [UploadPiece]
    private var wish: Int64

    init(
        _ record: UploadSessionRecord,
        limits: UploadPieceLimits,
        remember: @escaping @Sendable (UploadSessionRecord) async throws -> Void
    ) {
        self.record = record
        self.limits = limits
        self.remember = remember
        size = record.source.size
        unsent = record.planned
        wish = limits.firstSize
    }

    /// The next piece to send: one that was cut before, or a new one; `nil` when all are under way.
    func next() async throws -> UploadPiece? {
        if !unsent.isEmpty { return unsent.removeFirst() }
        let offset = record.nextOffset
        guard offset < size else { return nil }
        let count = record.pieces.count + record.planned.count
        let length = limits.size(wish: wish, rest: size - offset, count: count)
        let range = offset..<offset + length
        let piece = UploadPiece(number: record.nextNumber, range: range, isLast: range.upperBound == size)
        record.planned.append(piece)
        try await save()
        return piece
    }

    /// A piece was taken.
    func note(_ piece: UploadPiece, receipt: String?, took duration: Duration) async throws {
        record.planned.removeAll { $0.number == piece.number }
        record.pieces.append(UploadedPiece(piece: piece, receipt: receipt))
        wish = limits.wish(after: Int64(piece.range.count), took: duration, wish: wish)
        try await save()
    }

    private func save() async throws {
        let saving = Task { [previous = remembering, record, remember] in
            // An error from before has been thrown where it was waited for.
            _ = await previous?.result
            try await remember(record)
        }
        remembering = saving
        try await saving.value
    }

    /// All pieces in order, if they are the whole content, each byte once.
    func complete() -> [UploadedPiece]? {
        let pieces = record.pieces.sorted { $0.piece.number < $1.piece.number }
        var offset: Int64 = 0
        for piece in pieces.map(\.piece) {
            guard piece.range.lowerBound == offset else { return nil }
            offset = piece.range.upperBound
        }
        return offset == size ? pieces : nil
    }
}
