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
