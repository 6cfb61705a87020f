import FerryCore
import HTTPTypes

/// The bytes that a request asks for, and what an answer then gives of them.
struct WantedBytes: Sendable {
    private let range: ByteRange

    init(_ range: ByteRange) {
        self.range =
            switch range {
            case .from(let offset) where offset <= 0: .all
            case .bytes(let range): .bytes(max(0, range.lowerBound)..<max(0, range.upperBound))
            default: range
            }
    }

    /// Indicates whether nothing is wanted, whatever the file's size: HTTP has no range for that.
    var isNothing: Bool {
        switch range {
        case .all, .from: false
        case .bytes(let range): range.isEmpty
        case .last(let count): count <= 0
        }
    }

    /// The value of `Range`: one range, never inverted (RFC 9110 §14.1.2); `nil` for the whole file.
    var rangeField: String? {
        switch range {
        case .all: nil
        case .from(let offset): "bytes=\(offset)-"
        case .bytes(let range): range.upperBound == .max ? "bytes=\(range.lowerBound)-" : Self.field(range)
        case .last(let count): "bytes=-\(count)"
        }
    }

    /// Not `bytes=0-0`: to Sabre (Nextcloud, ownCloud) a last byte of 0 is none, so that all of the file would come.
    private static func field(_ range: Range<Int64>) -> String {
        "bytes=\(range.lowerBound)-\(max(1, range.upperBound - 1))"
    }

    /// The fields of a request for these bytes.
    ///
    /// - Parameter known: A version that need not be sent again.
    /// - Returns: The fields; compressed, the offsets would be of other bytes.
    func fields(unless known: ContentVersion?) -> HTTPFields {
        var fields: HTTPFields = [.acceptEncoding: "identity"]
        fields[.range] = rangeField
        if let tag = known?.eTag {
            fields[.ifNoneMatch] = tag
        } else {
            fields[.ifModifiedSince] = known?.lastModified
        }
        return fields
    }

    /// The part of the wanted bytes that an answer holds.
    struct Part: Sendable, Hashable {
        /// The offset of the first wanted byte.
        var start: Int64
        /// The offset after the last wanted byte; `nil` if nobody has said how long the file is.
        var end: Int64?
        /// Where to stop although the answer holds more.
        var truncation: Int64?
        /// Bytes of the whole file, if known.
        var size: Int64?
        /// Bytes to leave out before the first.
        var skipped: Int64 = 0
    }

    /// Returns what an answer with the whole file holds of the wanted bytes; `nil` if that can't be told.
    func part(ofWhole size: Int64?) -> Part? {
        if let size {
            let range = range.resolved(size: size)
            return Part(
                start: range.lowerBound,
                end: range.upperBound,
                truncation: range.upperBound < size ? range.upperBound : nil,
                size: size,
                skipped: range.lowerBound
            )
        }
        return switch range {
        case .all: Part(start: 0)
        case .from(let offset): Part(start: offset, skipped: offset)
        case .bytes(let range):
            Part(start: range.lowerBound, truncation: range.upperBound, skipped: range.lowerBound)
        case .last: nil
        }
    }

    /// Returns `true` if an answer holds a part of the file although its status says that it holds all of it.
    ///
    /// - Parameter reply: An answer with status 200.
    /// - Returns: `false` if all of the file is in it, or if it contradicts itself.
    func isPart(_ reply: HTTPReply) -> Bool {
        guard rangeField != nil, case .bytes(let got, let size?) = reply.contentRange else { return false }
        return reply.contentLength == Int64(got.count) && Int64(got.count) < size
    }

    /// Returns what an answer with a part of the file holds of the wanted bytes; `nil` if it holds others.
    ///
    /// It may hold fewer than wanted, or more behind or before them, but it must hold the first.
    func part(_ contentRange: ContentRange?) -> Part? {
        guard rangeField != nil, case .bytes(let got, let size) = contentRange else { return nil }
        // Without a size the answer's own end is all that is known.
        let wanted = range.resolved(size: size ?? got.upperBound)
        guard got.lowerBound == wanted.lowerBound || got.contains(wanted.lowerBound) else { return nil }
        return Part(
            start: wanted.lowerBound,
            end: wanted.upperBound,
            truncation: got.upperBound > wanted.upperBound ? wanted.upperBound : nil,
            size: size,
            skipped: wanted.lowerBound - got.lowerBound
        )
    }
}

/// The `Content-Range` field of an answer (RFC 9110 §14.4).
package enum ContentRange: Sendable, Hashable {
    /// `bytes 2-4/10`: which bytes these are, and of how many, if that is told.
    case bytes(Range<Int64>, size: Int64?)
    /// `bytes */10`: none can be given, of so many.
    case unsatisfied(size: Int64)

    /// Reads a field's value.
    ///
    /// - Parameter text: Such as `bytes 2-4/10`; `nil` is the result of anything that makes no sense.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let size = Self.number(parts[1])
        if parts[0] == "*" {
            guard let size else { return nil }
            self = .unsatisfied(size: size)
            return
        }
        if size == 0, parts[0] == "0--1" {
            // So Go's file server says that the last bytes of an empty file are none.
            self = .bytes(0..<0, size: 0)
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < Int64.max, size != nil || parts[1] == "*", size.map({ last < $0 }) ?? true
        else { return nil }
        self = .bytes(first..<last + 1, size: size)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
