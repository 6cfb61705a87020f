import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Synchronization

/// A storage that takes files in pieces, in this process; it outlives the drivers that talk to it.
final class PieceServer: Sendable {
    /// How it takes pieces.
    enum Style: Sendable {
        /// Numbered, in any order.
        case numbered
        /// One after the other: it only knows how much it has.
        case sequential
    }

    private struct State {
        var sessions: [String: [Int: [UInt8]]] = [:]
        var files: [String: [UInt8]] = [:]
        var sent: [Range<Int64>] = []
        var begun = 0
        var underWay = 0
        var mostUnderWay = 0
        var failures: [Int: Int] = [:]
        var crashAt: Int?
        var crashAfter: Int?
        var isGone = false
    }

    let style: Style
    private let state = Mutex(State())

    init(_ style: Style) {
        self.style = style
    }

    var begun: Int { state.withLock { $0.begun } }
    var sent: [Range<Int64>] { state.withLock { $0.sent } }
    var sessionCount: Int { state.withLock { $0.sessions.count } }
    var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }
    func file(_ name: String) -> [UInt8]? { state.withLock { $0.files[name] } }
    func forgetSessions() { state.withLock { $0.sessions = [:] } }
    /// The `number`th piece that is sent fails so often.
    func fail(piece number: Int, times: Int) { state.withLock { $0.failures[number] = times } }
    /// With so many bytes taken, the line is gone for good.
    func crash(at bytes: Int?) { state.withLock { $0.crashAt = bytes } }
    /// The line is gone once the `number`th piece was taken, before anybody hears of it.
    func crash(after number: Int?) {
        state.withLock { state in
            state.crashAfter = number
            state.isGone = false
        }
    }

    func begin() -> String {
        state.withLock { state in
            state.begun += 1
            state.sessions["session \(state.begun)"] = [:]
            return "session \(state.begun)"
        }
    }

    func enter() {
        state.withLock { state in
            state.underWay += 1
            state.mostUnderWay = max(state.mostUnderWay, state.underWay)
        }
    }

    func leave() { state.withLock { $0.underWay -= 1 } }

    func take(_ piece: UploadPiece, _ bytes: [UInt8], in session: String) throws {
        try state.withLock { state in
            guard var pieces = state.sessions[session] else { throw UploadSessionLostError() }
            let had = pieces.values.reduce(0) { $0 + $1.count }
            if let limit = state.crashAt, had + bytes.count > limit {
                // The part of a piece that fits stays only where bytes are counted, not pieces.
                if style == .sequential {
                    pieces[0, default: []] += bytes.prefix(limit - had)
                    state.sessions[session] = pieces
                }
                throw URLError(.notConnectedToInternet)
            }
            if let left = state.failures[piece.number], left > 0 {
                state.failures[piece.number] = left - 1
                throw URLError(.networkConnectionLost)
            }
            if state.isGone { throw URLError(.notConnectedToInternet) }
            state.sent.append(piece.range)
            switch style {
            case .numbered: pieces[piece.number] = bytes
            case .sequential:
                guard had == piece.range.lowerBound else { throw URLError(.cannotParseResponse) }
                pieces[0, default: []] += bytes
            }
            state.sessions[session] = pieces
            guard state.crashAfter == piece.number else { return }
            state.isGone = true
            throw URLError(.notConnectedToInternet)
        }
    }

    func acknowledged(in session: String) -> UploadAcknowledgement? {
        state.withLock { state in
            guard let pieces = state.sessions[session] else { return nil }
            return switch style {
            case .numbered: .parts(pieces.mapValues { Int64($0.count) })
            case .sequential: .bytes(upTo: Int64(pieces.values.reduce(0) { $0 + $1.count }))
            }
        }
    }

    func finish(_ session: String, as name: String) throws -> Int {
        try state.withLock { state in
            guard let pieces = state.sessions.removeValue(forKey: session) else { throw UploadSessionLostError() }
            let content = pieces.sorted { $0.key < $1.key }.flatMap(\.value)
            state.files[name] = content
            return content.count
        }
    }

    func abort(_ session: String) { state.withLock { $0.sessions[session] = nil } }
}

/// Talks to a ``PieceServer``.
struct PieceDriver: UploadSessionDriver {
    let server: PieceServer
    var name = "file"
    var limits = UploadPieceLimits(firstSize: 1_000)
    var expires: Date?

    func begin(size: Int64?) -> UploadSessionHandle { UploadSessionHandle(id: server.begin(), expires: expires) }

    func send(_ piece: UploadPiece, body: HTTPRequestBody, to session: UploadSessionHandle) async throws -> String? {
        server.enter()
        defer { server.leave() }
        let next = try await body.makeSource()
        var bytes: [UInt8] = []
        while let chunk = try await next() { bytes += chunk.readableBytesView }
        try server.take(piece, bytes, in: session.id)
        return "receipt \(piece.number)"
    }

    func acknowledged(in session: UploadSessionHandle) -> UploadAcknowledgement? {
        server.acknowledged(in: session.id)
    }

    func finish(_ session: UploadSessionHandle, pieces: [UploadedPiece], size: Int64) throws -> FileObject? {
        let count = try server.finish(session.id, as: name)
        return FileObject(name: name, in: .root, type: .file, size: Int64(count))
    }

    func abort(_ session: UploadSessionHandle) { server.abort(session.id) }
}

/// Bytes in memory whose identity a test can change.
final class ChangingSource: UploadSource {
    private let state: Mutex<(bytes: [UInt8], eTag: String)>

    init(_ bytes: [UInt8], eTag: String = "1") {
        state = Mutex((bytes, eTag))
    }

    func change(to bytes: [UInt8], eTag: String) { state.withLock { $0 = (bytes, eTag) } }

    func identity() -> UploadSourceIdentity {
        state.withLock { UploadSourceIdentity(name: "source", size: Int64($0.bytes.count), eTag: $0.eTag) }
    }

    func body(_ range: Range<Int64>) -> HTTPRequestBody {
        let bytes = state.withLock { $0.bytes }
        return HTTPRequestBody(ByteBuffer(bytes: bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
}
