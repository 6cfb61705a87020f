import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// Contents, and parts of them.
extension OddWebDAVServer {
    static func read(_ request: Request, _ state: State) -> LoopbackAnswer {
        guard let item = state.items[key(request.path, state.oddities)] else {
            return LoopbackAnswer(.notFound, text: "<html><body>Not found</body></html>")
        }
        guard var bytes = item.bytes else { return LoopbackAnswer(.methodNotAllowed) }
        var fields = HTTPFields()
        fields[.lastModified] = httpDate(item.modified)
        fields[.eTag] = "\"v\(item.version)\""
        var tellsLength = true
        switch state.oddities.coding {
        case .packed(let tells):
            bytes = NextcloudServer.gzip(bytes) ?? bytes
            fields[.contentEncoding] = "gzip"
            tellsLength = tells
        case .named(let name): fields[.contentEncoding] = name
        case .garbage:
            bytes = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + Array(repeating: 0xFF, count: 100)
            fields[.contentEncoding] = "gzip"
        case nil: break
        }
        return part(of: bytes, request, state.oddities.ranges, fields, tellsLength: tellsLength)
    }

    private static func part(
        of bytes: [UInt8],
        _ request: Request,
        _ ranges: WebDAVOddities.RangeAnswer,
        _ fields: HTTPFields,
        tellsLength: Bool
    ) -> LoopbackAnswer {
        var fields = fields
        guard tellsLength else {
            // As one that packs on the way: in chunks, whatever part was asked for.
            let body = OneChunk(bytes)
            return LoopbackAnswer(.ok, fields: fields) { body.take() }
        }
        guard ranges != .whole, let text = request["Range"], let wanted = range(text, count: bytes.count) else {
            return LoopbackAnswer(.ok, fields: fields, body: ByteBuffer(bytes: bytes))
        }
        guard !wanted.isEmpty else {
            fields[.contentRange] = "bytes */\(bytes.count)"
            return LoopbackAnswer(.rangeNotSatisfiable, fields: fields)
        }
        let given = ranges == .early ? 0..<wanted.upperBound : wanted
        fields[.contentRange] = "bytes \(given.lowerBound)-\(given.upperBound - 1)/\(bytes.count)"
        let status: HTTPResponse.Status = ranges == .partWithOK ? .ok : .partialContent
        return LoopbackAnswer(status, fields: fields, body: ByteBuffer(bytes: bytes[given]))
    }

    private static func range(_ text: String, count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes=") else { return nil }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        if ends[0].isEmpty { return Int(ends[1]).map { max(0, count - $0)..<count } }
        guard let first = Int(ends[0]) else { return nil }
        let last = min(Int(ends[1]) ?? count - 1, count - 1)
        return first < count ? first..<max(first, last + 1) : 0..<0
    }
}

/// A body that comes in one chunk.
private final class OneChunk: Sendable {
    private let rest: Shared<ByteBuffer?>

    init(_ bytes: [UInt8]) { rest = Shared(ByteBuffer(bytes: bytes)) }

    func take() -> ByteBuffer? { rest.value.withLock { $0.take() } }
}
