import FerryCore
import Foundation

/// Reads the parts of a source that somebody asks for, and no more: the program chooses portions that suit a line.
struct SourceReader: Sendable {
    /// Bytes of the file.
    let size: Int64

    private let source: MediaSource
    /// All of it, if its size was not known.
    private var whole: Data?

    /// Bytes that a file without a known size may have.
    private static let mostOfUnknown: Int64 = 64 << 20

    /// Begins.
    ///
    /// - Parameter source: The file. If its size is not known, it is read as a whole.
    /// - Throws: Any error that reading throws; `CocoaError.fileReadTooLarge`.
    init(_ source: MediaSource) async throws {
        self.source = source
        if let size = source.item.size {
            self.size = max(0, size)
            return
        }
        let data = try await source.contents(in: .bytes(0..<(Self.mostOfUnknown + 1)))
        guard data.count <= Self.mostOfUnknown else {
            throw CocoaError.file(
                .fileReadTooLarge,
                path: source.item.path,
                description: "its size isn't known, and it has more than 64 MiB"
            )
        }
        size = Int64(data.count)
        whole = data
    }

    /// Reads a part.
    ///
    /// - Parameters:
    ///   - offset: Bytes from the start of the file, at least 0.
    ///   - count: Bytes, at least 1.
    /// - Returns: The bytes; fewer only where the file ends.
    /// - Throws: Any error that reading throws.
    func read(_ offset: Int64, _ count: Int) async throws -> [UInt8] {
        let wanted = ByteRange(offset: offset, length: Int64(count)).resolved(size: size)
        if let whole { return Array(whole.dropFirst(Int(wanted.lowerBound)).prefix(wanted.count)) }
        var bytes: [UInt8] = []
        while bytes.count < wanted.count {
            let rest = (wanted.lowerBound + Int64(bytes.count))..<wanted.upperBound
            let data = try await source.contents(in: .bytes(rest))
            // The file has become shorter: what is there is what there is.
            if data.isEmpty { break }
            bytes += data.prefix(rest.count)
        }
        return bytes
    }
}
