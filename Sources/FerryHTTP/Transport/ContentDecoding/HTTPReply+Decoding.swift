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

    /// The same answer with its body as it was before the server packed it (`Content-Encoding`, RFC 9110 §8.4).
    ///
    /// It is unpacked as it is read, and bounded both ways: a small answer that unpacks to something huge is an attack.
    ///
    /// - Parameters:
    ///   - limit: Bytes that are expected at most, unpacked.
    ///   - ratio: How many times longer the unpacked body may be than the packed one; it is looked at from 1 MiB on. 1,032
    ///     is the most that deflate can do, and what XML reaches is below 100.
    /// - Returns: The answer without `Content-Encoding` and `Content-Length`; itself if it isn't packed. Its body throws
    ///   `URLError.dataLengthExceedsMaximum` when it is longer than either bound allows,
    ///   `.cannotDecodeContentData` when it isn't what it says, and `.networkConnectionLost` when it ends early.
    /// - Throws: `URLError.cannotDecodeContentData` for a coding that we don't know.
    public func decoded(limit: Int64, ratio: Int64 = 200) throws -> HTTPReply {
        let codings = (head.headerFields[.contentEncoding] ?? "")
            .split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        guard let coding = codings.first else { return self }
        guard codings.count == 1, ["gzip", "x-gzip", "deflate"].contains(coding) else {
            throw URLError.answer(.cannotDecodeContentData, description: "the answer is packed in an unknown way")
        }
        var reply = self
        reply.head.headerFields[.contentEncoding] = nil
        reply.head.headerFields[.contentLength] = nil
        let decoder = BodyDecoder(body.makeAsyncIterator(), isGzip: coding != "deflate", limit: limit, ratio: ratio)
        reply.body = HTTPReplyBody { try await decoder.next() }
        return reply
    }
}

/// Unpacks a body chunk by chunk.
private actor BodyDecoder {
    private var packed: HTTPReplyBody.AsyncIterator?
    private var inflater: Inflater
    private let limit: Int64
    private let ratio: Int64
    private var packedCount: Int64 = 0
    private var unpackedCount: Int64 = 0

    init(_ packed: HTTPReplyBody.AsyncIterator, isGzip: Bool, limit: Int64, ratio: Int64) {
        self.packed = packed
        inflater = Inflater(isGzip: isGzip)
        self.limit = limit
        self.ratio = ratio
    }

    func next() async throws -> ByteBuffer? {
        while var packed {
            if let unpacked = try inflater.next() {
                unpackedCount += Int64(unpacked.readableBytes)
                guard unpackedCount <= limit, unpackedCount <= max(1 << 20, packedCount.multipliedOrMax(by: ratio))
                else {
                    self.packed = nil
                    throw URLError.answer(
                        .dataLengthExceedsMaximum,
                        description: "the answer unpacks to too many bytes"
                    )
                }
                return unpacked
            }
            self.packed = nil
            guard let chunk = try await packed.next() else {
                try inflater.finish()
                return nil
            }
            packedCount += Int64(chunk.readableBytes)
            inflater.input(chunk)
            self.packed = packed
        }
        return nil
    }
}

extension Int64 {
    fileprivate func multipliedOrMax(by factor: Int64) -> Int64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: factor)
        return isTooLarge ? .max : product
    }
}
