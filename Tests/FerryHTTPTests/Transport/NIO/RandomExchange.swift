import FerryTestKit
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

@testable import FerryHTTP

/// One request and what a server makes of it, both decided by a number.
struct RandomExchange {
    /// How a client treats the answer.
    enum Reader {
        case whole
        case leavesAfterHead
        case leavesAfterFirstChunk
        case isCancelled(afterYields: Int)
    }

    /// Bytes that the client sends; `nil` for no body.
    let sent: Int?
    /// Indicates whether they are made in pieces, of a length that isn't told.
    let isStreamed: Bool
    /// Indicates whether the server answers before it has read them.
    let isEarly: Bool
    let status: Int
    /// The body of the answer.
    let body: Data
    /// The answer in the pieces that the server writes.
    let pieces: [ByteBuffer]
    /// Indicates whether all of the answer is written.
    let isComplete: Bool
    /// Indicates whether the server closes the connection afterwards, and how.
    let closes: Bool
    let resets: Bool
    /// Indicates whether other bytes follow the answer.
    let hasJunk: Bool
    let reader: Reader

    init(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
        func size(_ most: Int) -> Int {
            Int.random(in: 0...(1 << Int.random(in: 0...most, using: &random)), using: &random)
        }
        sent = chance(50) ? size(17) : nil
        isStreamed = chance(50)
        isEarly = chance(15)
        status = [200, 200, 207, 404, 413][Int.random(in: 0..<5, using: &random)]
        let count = size(18)
        body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ Int(seed)) })
        var text = chance(10) ? "HTTP/1.1 102 Processing\r\n\r\n" : ""
        text += "HTTP/1.1 \(status) Whatever\r\nX-Seed: \(seed)\r\n"
        let endsWithConnection = chance(10)
        var answer = Data()
        if endsWithConnection {
            answer = Data("\(text)Connection: close\r\n\r\n".utf8) + body
        } else if chance(50) {
            answer = Data("\(text)Content-Length: \(count)\r\n\r\n".utf8) + body
        } else {
            answer = Data("\(text)Transfer-Encoding: chunked\r\n\r\n".utf8)
            var rest = body[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(1 + size(13))
                answer += Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)
                rest = rest.dropFirst(chunk.count)
            }
            answer += Data("0\r\n\r\n".utf8)
        }
        isComplete = chance(80)
        // Where the end of the connection is the end of the answer, a cut can't be told from it: a reset can.
        resets = isComplete ? chance(3) : endsWithConnection || chance(30)
        closes = !isComplete || endsWithConnection || resets || chance(10)
        hasJunk = isComplete && !closes && chance(10)
        if !isComplete { answer = answer.prefix(Int.random(in: 0..<answer.count, using: &random)) }
        if hasJunk { answer += Data("!junk\r\n".utf8) }
        var pieces: [ByteBuffer] = []
        while !answer.isEmpty {
            let piece = answer.prefix(chance(70) ? answer.count : 1 + size(10))
            pieces.append(ByteBuffer(bytes: piece))
            answer = answer.dropFirst(piece.count)
        }
        self.pieces = pieces
        reader =
            switch Int.random(in: 0..<20, using: &random) {
            case 0: .leavesAfterHead
            case 1: .leavesAfterFirstChunk
            case 2: .isCancelled(afterYields: Int.random(in: 0..<20, using: &random))
            default: .whole
            }
    }

    /// The body that the client sends.
    var requestBody: HTTPRequestBody? {
        guard let sent else { return nil }
        let bytes = ByteBuffer(repeating: 7, count: sent)
        guard isStreamed else { return HTTPRequestBody(bytes) }
        return HTTPRequestBody(length: sent % 2 == 0 ? Int64(sent) : nil, isReplayable: true) {
            let rest = SharedValue(bytes)
            return {
                rest.value.withLock { rest in
                    rest.readableBytes == 0 ? nil : rest.readSlice(length: min(rest.readableBytes, 5000))
                }
            }
        }
    }

    /// Indicates whether the answer must come whole: nothing was cut, and no early end could have taken it away.
    var mustSucceed: Bool { isComplete && !resets && !(isEarly && sent != nil && closes) }

    /// Serves one exchange after the other on a connection.
    static func serve(_ connection: RawConnection) async throws {
        while true {
            let head = try await connection.readHead()
            let path = head.split(separator: " ", maxSplits: 2)[1]
            let exchange = RandomExchange(UInt64(path.dropFirst()) ?? 0)
            if !exchange.isEarly { try await exchange.readBody(of: head, from: connection) }
            for piece in exchange.pieces { try await connection.write(piece) }
            if exchange.resets { return try await connection.reset() }
            if exchange.closes { return }
            if exchange.isEarly { try await exchange.readBody(of: head, from: connection) }
        }
    }

    private func readBody(of head: String, from connection: RawConnection) async throws {
        guard let sent else { return }
        guard head.contains("chunked") else {
            guard try await connection.read(count: sent).readableBytes == sent else { throw ChannelError.eof }
            return
        }
        while true {
            var line = ""
            while !line.hasSuffix("\r\n") {
                let byte = try await connection.read(count: 1)
                guard byte.readableBytes == 1 else { throw ChannelError.eof }
                line += String(buffer: byte)
            }
            let size = Int(line.dropLast(1), radix: 16) ?? 0
            guard try await connection.read(count: size + 2).readableBytes == size + 2 else { throw ChannelError.eof }
            if size == 0 { return }
        }
    }
}
