import FerryCore
import Foundation

extension ConformanceCheck {
    /// A part of a file, by offset and length, and what must come back of 1,000 bytes or of three chunks.
    private struct RangeCase: Sendable {
        let slug: String
        let words: String
        let count: Int
        let range: ByteRange

        init(_ slug: String, _ words: String, of count: Int = 1_000, _ range: ByteRange) {
            self.slug = slug
            self.words = words
            self.count = count
            self.range = range
        }
    }

    private static let chunk = Int64(DataChunks.chunkSize)

    private static let rangeCases = [
        RangeCase("middle", "the middle", .bytes(300..<700)),
        RangeCase("first-byte", "the first byte", .bytes(0..<1)),
        RangeCase("last-byte", "the last byte", .bytes(999..<1_000)),
        RangeCase("to-the-end", "from an offset to the end", .from(400)),
        RangeCase("from-zero", "from the start to the end", .from(0)),
        RangeCase("whole", "the whole by its bounds", .bytes(0..<1_000)),
        RangeCase("beyond-the-end", "a range that reaches past the end is shortened", .bytes(900..<2_000)),
        RangeCase("past-the-end", "a range past the end is empty", .bytes(1_000..<2_000)),
        RangeCase("far-past-the-end", "an offset far past the end gives nothing", .from(1 << 40)),
        RangeCase("to-the-greatest", "a range up to the greatest number is shortened", .bytes(10..<Int64.max)),
        RangeCase("empty", "an empty range is empty", .bytes(500..<500)),
        RangeCase("empty-at-start", "an empty range at the start is empty, not all", .bytes(0..<0)),
        RangeCase("last-20", "the last 20 bytes", .last(20)),
        RangeCase("last-of-shorter", "the last 20 bytes of 7 are all of them", of: 7, .last(20)),
        RangeCase("last-none", "the last 0 bytes are none", .last(0)),
        RangeCase("of-nothing", "a range of an empty file is empty", of: 0, .bytes(0..<10)),
        RangeCase("last-of-nothing", "the last 20 bytes of an empty file are none", of: 0, .last(20)),
        RangeCase(
            "across-chunks",
            "a range across the border of two chunks",
            of: Int(3 * chunk),
            .bytes(chunk - 3..<chunk + 5)
        ),
        RangeCase(
            "one-chunk",
            "exactly the second of three chunks",
            of: Int(3 * chunk),
            .bytes(chunk..<2 * chunk)
        ),
        RangeCase(
            "three-chunks",
            "a range that begins and ends within chunks",
            of: Int(3 * chunk),
            .bytes(7..<3 * chunk - 7)
        ),
    ]

    /// Parts of files.
    static let ranges: [ConformanceCheck] =
        rangeCases.map { example in
            Self(
                ID(rawValue: "ranges.\(example.slug)"),
                "\(example.words): read as a part, and as a stream, it is exactly that",
                needs: [.reading]
            ) { trial in
                let data = Trial.bytes(example.count)
                let path = try await trial.plant("a.bin", data)
                try await trial.expectPart(example.range, of: path, data)
            }
        } + [
            Self("ranges.negative-offset", "a negative offset counts as 0", needs: [.reading]) { trial in
                let reading = try trial.reading
                let data = Trial.bytes(100)
                let path = try await trial.plant("a.bin", data)
                let part = try await reading.contents(path: path, offset: -5, length: 10)
                if let difference = part.difference(from: data.prefix(10)) { trial.fail(difference) }
            },
            Self("ranges.all-parts", "parts read one after the other make the whole", needs: [.reading]) { trial in
                let reading = try trial.reading
                let data = Trial.bytes(10_007)
                let path = try await trial.plant("a.bin", data)
                var whole = Data()
                while true {
                    let part = try await reading.contents(path: path, offset: Int64(whole.count), length: 1_000)
                    if part.isEmpty { break }
                    whole += part
                    if whole.count > data.count { break }
                }
                if let difference = whole.difference(from: data) { trial.fail(difference) }
            },
        ]
}

extension Trial {
    fileprivate func expectPart(_ range: ByteRange, of path: ItemPath, _ data: Data) async throws {
        let bounds = range.resolved(size: Int64(data.count))
        let expected = data.dropFirst(Int(bounds.lowerBound)).prefix(bounds.count)
        if let (offset, length) = range.offsetAndLength {
            let part = try await reading.contents(path: path, offset: offset, length: length)
            if let difference = part.difference(from: Data(expected)) { fail("contents: \(difference)") }
        }
        guard let streams = provider as? any FileProviderReadWriteProgressive else { return }
        let stream = try await streams.contentStream(path: path, range: range)
        if let told = stream.facts.range { expectEqual(told.count, bounds.count, "the length that the facts tell") }
        if let size = stream.facts.size { expectEqual(size, Int64(data.count), "the size that the facts tell") }
        if let difference = try await stream.collect().difference(from: Data(expected)) {
            fail("contentStream: \(difference)")
        }
    }
}

extension ByteRange {
    /// The range as `contents(path:offset:length:)` takes it; `nil` for the last bytes.
    fileprivate var offsetAndLength: (Int64, Int64?)? {
        switch self {
        case .all: (0, nil)
        case .from(let offset): (offset, nil)
        case .bytes(let range): (range.lowerBound, Int64(range.count))
        case .last: nil
        }
    }
}
