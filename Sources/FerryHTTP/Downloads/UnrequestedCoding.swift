import FerryCore
import Foundation
import HTTPTypes
import NIOCore

/// A content coding that an answer names although the file was asked for as it is.
///
/// Either the server has packed the file all the same, or the file itself is packed, as `a.tar.gz` is, and the server
/// says so (Apache's `AddEncoding`). The size that the server lists tells the two apart.
struct UnrequestedCoding: Sendable {
    /// The meaning of an answer's bytes.
    enum Meaning: Sendable, Hashable {
        /// The bytes of the file.
        case file
        /// Bytes that have to be unpacked.
        case packed
        /// It can't be told before all bytes have been counted.
        case uncounted
    }

    /// The codings, in lower case and in the order in which they were applied.
    let names: [String]

    private let path: ItemPath

    /// Finds the coding of an answer; `nil` if the answer names none.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - path: The file.
    init?(_ reply: HTTPReply, path: ItemPath) {
        names = reply.contentCodings
        self.path = path
        if names.isEmpty { return nil }
    }

    /// Decides what the bytes are.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that the answer, or the content that it is a part of, has; `nil` if not told.
    ///   - listed: The size of the file in listings; `nil` if not told.
    /// - Returns: The meaning.
    func meaning(count: Int64?, listed: Int64?) -> Meaning {
        guard let listed else { return isNamedByPath ? .file : .packed }
        guard let count else { return .uncounted }
        return count == listed ? .file : .packed
    }

    /// Indicates whether the name of the file says that it is packed in this way.
    private var isNamedByPath: Bool {
        let known = ["gz", "tgz", "svgz", "gzip", "z", "br", "zst", "bz2", "xz"]
        return known.contains(path.pathExtension.lowercased())
    }

    /// The same answer, unpacked, and checked at its end.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - listed: The size that the unpacked file must have; `nil` if not told.
    /// - Returns: The answer. Its body throws `URLError.cannotDecodeContentData`, which names the coding.
    func unpacked(_ reply: HTTPReply, listed: Int64?) -> HTTPReply {
        // Where the size is known, that is the bound.
        let decoded = reply.decoded(limit: listed ?? .max, ratio: listed == nil ? 2_000 : .max)
        let body = CheckedBody(decoded.body, coding: self, length: listed)
        return HTTPReply(head: decoded.head, body: HTTPReplyBody { try await body.next() })
    }

    /// The same answer, whose bytes are those of the file.
    ///
    /// - Parameter reply: The answer.
    /// - Returns: The answer without the coding.
    func kept(_ reply: HTTPReply) -> HTTPReply {
        var reply = reply
        reply.head.headerFields[.contentEncoding] = nil
        return reply
    }

    /// The error of a file that can't be had.
    ///
    /// - Parameter error: Why it can't be unpacked; `nil` if it is of another size than listed.
    /// - Returns: `URLError.cannotDecodeContentData`.
    func error(_ error: (any Error)? = nil) -> URLError {
        .answer(
            .cannotDecodeContentData,
            description: "the server sends the file packed as '\(names.joined(separator: ", "))', though nobody asked "
                + "for that, and what comes is not the file",
            suggestion: "have the server, or the proxy before it, send files as they are",
            underlying: error
        )
    }
}

/// An unpacked body, whose length is checked at its end.
private actor CheckedBody {
    private let coding: UnrequestedCoding
    private let length: Int64?
    private var iterator: HTTPReplyBody.AsyncIterator
    private var count: Int64 = 0

    init(_ body: HTTPReplyBody, coding: UnrequestedCoding, length: Int64?) {
        iterator = body.makeAsyncIterator()
        self.coding = coding
        self.length = length
    }

    func next() async throws -> ByteBuffer? {
        var advancing = iterator
        defer { iterator = advancing }
        let chunk: ByteBuffer?
        do {
            chunk = try await advancing.next()
        } catch let error as URLError
            where [.cannotDecodeContentData, .dataLengthExceedsMaximum].contains(error.code)
        {
            throw coding.error(error)
        }
        guard let chunk else {
            if let length, count != length { throw coding.error() }
            return nil
        }
        count += Int64(chunk.readableBytes)
        return chunk
    }
}
