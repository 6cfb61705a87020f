import FerryCore
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

extension HTTPReply {
    /// The codings that ``decoded(limit:ratio:)`` undoes, for a request's `Accept-Encoding`.
    ///
    /// Never ask for one when downloading a file: its `Content-Length` and its ranges are those of the coded bytes.
    public static let acceptedEncodings = "gzip"

    /// The content codings that the answer names, in lower case and in the order in which they were applied.
    package var contentCodings: [String] {
        (head.headerFields[.contentEncoding] ?? "")
            .split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// The same answer with its body as it was before the server packed it (`Content-Encoding`, RFC 9110 §8.4).
    ///
    /// It is unpacked as it is read, and bounded both ways: a small answer that unpacks to something huge is an attack.
    /// A body that isn't packed although the answer says so is taken as it is: Apache marks whatever it says about a file
    /// `a.gz`, too.
    ///
    /// - Parameters:
    ///   - limit: Bytes that are expected at most, unpacked.
    ///   - ratio: How many times longer the unpacked body may be than the packed one; it is looked at from 1 MiB on. 1,032
    ///     is the most that deflate can do, and what XML reaches is below 100.
    /// - Returns: The answer without `Content-Encoding` and `Content-Length`; itself if it isn't packed. Its body throws
    ///   `URLError.dataLengthExceedsMaximum` when it is longer than either bound allows,
    ///   `.cannotDecodeContentData` when it isn't what it says, or packed in a way that we don't know, and
    ///   `.networkConnectionLost` when it ends early.
    public func decoded(limit: Int64, ratio: Int64 = 200) -> HTTPReply {
        let codings = contentCodings
        if codings.isEmpty { return self }
        var reply = self
        reply.head.headerFields[.contentEncoding] = nil
        reply.head.headerFields[.contentLength] = nil
        let decoder = BodyDecoder(body.makeAsyncIterator(), codings: codings, limit: limit, ratio: ratio)
        reply.body = HTTPReplyBody { try await decoder.next() }
        return reply
    }
}

/// Unpacks a body chunk by chunk.
private actor BodyDecoder {
    /// Indicates whether the body is packed, which its beginning tells.
    private enum Kind {
        case unknown
        case packed
        case plain
    }

    private var packed: HTTPReplyBody.AsyncIterator?
    private var inflater: Inflater
    private let codings: [String]
    private let limit: Int64
    private let ratio: Int64
    private var kind = Kind.unknown
    private var beginning = ByteBuffer()
    private var packedCount: Int64 = 0
    private var unpackedCount: Int64 = 0

    init(_ packed: HTTPReplyBody.AsyncIterator, codings: [String], limit: Int64, ratio: Int64) {
        self.packed = packed
        self.codings = codings
        inflater = Inflater(isGzip: codings != ["deflate"])
        self.limit = limit
        self.ratio = ratio
    }

    func next() async throws -> ByteBuffer? {
        if kind == .unknown { try await begin() }
        return kind == .plain ? try await nextPlain() : try await nextUnpacked()
    }

    /// Reads until it is known whether the body is packed.
    private func begin() async throws {
        while beginning.readableBytes < 2, let chunk = try await receive() { beginning.writeImmutableBuffer(chunk) }
        kind = try Self.kind(of: beginning, codings)
        if kind == .packed { inflater.input(beginning) }
    }

    private static func kind(of beginning: ByteBuffer, _ codings: [String]) throws -> Kind {
        let bytes = Array(beginning.readableBytesView.prefix(2))
        guard let first = bytes.first else { return .plain }
        switch codings {
        case ["gzip"], ["x-gzip"]:
            // RFC 1952 §2.3.1: all that is packed so begins so.
            return first == 0x1F && bytes.dropFirst().first ?? 0x8B == 0x8B ? .packed : .plain
        case ["deflate"]: return looksLikeMarkup(bytes) ? .plain : .packed
        default:
            if looksLikeMarkup(bytes) || first == UInt8(ascii: "{") { return .plain }
            throw URLError.answer(
                .cannotDecodeContentData,
                description: "the answer is packed as '\(codings.joined(separator: ", "))', which is not known here"
            )
        }
    }

    /// Returns whether XML or HTML begins so.
    private static func looksLikeMarkup(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 2, bytes[0] == UInt8(ascii: "<") else { return bytes == [0xEF, 0xBB] }
        return [UInt8(ascii: "?"), UInt8(ascii: "!")].contains(bytes[1]) || (0x41...0x5A).contains(bytes[1] & 0xDF)
    }

    private func nextPlain() async throws -> ByteBuffer? {
        var chunk: ByteBuffer? = beginning.readableBytes > 0 ? beginning : nil
        beginning.clear()
        if chunk == nil { chunk = try await receive() }
        guard let chunk else { return nil }
        try count(chunk)
        return chunk
    }

    private func nextUnpacked() async throws -> ByteBuffer? {
        while true {
            if let unpacked = try inflater.next() {
                try count(unpacked)
                return unpacked
            }
            guard let chunk = try await receive() else {
                try inflater.finish()
                return nil
            }
            inflater.input(chunk)
        }
    }

    private func receive() async throws -> ByteBuffer? {
        guard var iterator = packed else { return nil }
        // Content that fails, or is left, is not asked for again.
        packed = nil
        guard let chunk = try await iterator.next() else { return nil }
        packedCount += Int64(chunk.readableBytes)
        packed = iterator
        return chunk
    }

    private func count(_ chunk: ByteBuffer) throws {
        unpackedCount += Int64(chunk.readableBytes)
        guard unpackedCount <= limit, unpackedCount <= max(1 << 20, packedCount.multipliedOrMax(by: ratio)) else {
            packed = nil
            throw URLError.answer(.dataLengthExceedsMaximum, description: "the answer unpacks to too many bytes")
        }
    }
}

extension Int64 {
    fileprivate func multipliedOrMax(by factor: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }
}
