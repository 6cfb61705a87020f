import Foundation
import Testing

@testable import FerryCommand

@Suite("Pictures that are decoded")
struct PixmapTests {
    @Test(
        "PNG of every kind are read as they were written",
        arguments: [(0, 8), (2, 8), (4, 8), (6, 8), (0, 16), (2, 16), (4, 16), (6, 16)] as [(UInt8, UInt8)]
    )
    func kinds(_ colourType: UInt8, _ bits: UInt8) throws {
        let pixmap = try TestPNG.pixmap(23, 17, isOpaque: false)
        let read = try #require(Pixmap(png: TestPNG.data(pixmap, colourType: colourType, bits: bits)))
        #expect(read.width == 23 && read.height == 17)
        let isGrey = colourType == 0 || colourType == 4
        let expected = stride(from: 0, to: pixmap.samples.count, by: 4).flatMap { start in
            let samples = pixmap.samples[start..<(start + 4)].map { $0 }
            let colours = isGrey ? [samples[0], samples[0], samples[0]] : Array(samples[..<3])
            return colours + [colourType == 4 || colourType == 6 ? samples[3] : 255]
        }
        #expect(read.samples == expected)
    }

    @Test("a palette and its transparency are read")
    func palette() throws {
        let rows: [UInt8] = [0, 0, 1, 0, 2, 0]
        let data = TestPNG.file(
            header: TestPNG.number(2) + TestPNG.number(2) + [8, 3, 0, 0, 0],
            chunks: [("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("tRNS", [0, 128]), ("IDAT", TestPNG.packed(rows))]
        )
        #expect(Pixmap(png: data)?.samples == [1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255, 1, 2, 3, 0])
    }

    @Test("what is damaged, cut off, interlaced or too large is none")
    func damaged() throws {
        let good = TestPNG.data(try TestPNG.pixmap(20, 20))
        for length in stride(from: 0, to: good.count - 13, by: 7) { #expect(Pixmap(png: good.prefix(length)) == nil) }
        for position in stride(from: 0, to: good.count, by: 3) {
            var bad = [UInt8](good)
            bad[position] ^= 0x55
            _ = Pixmap(png: Data(bad))  // whatever it is, it is no crash
        }
        let rows = TestPNG.packed([UInt8](repeating: 0, count: 10))
        for header in [
            TestPNG.number(100_000) + TestPNG.number(100_000) + [8, 6, 0, 0, 0],
            TestPNG.number(0) + [0, 0, 0, 0, 8, 6, 0, 0, 0],
            TestPNG.number(1) + TestPNG.number(1) + [8, 6, 0, 0, 1],
            TestPNG.number(1) + TestPNG.number(1) + [1, 0, 0, 0, 0],
            TestPNG.number(1) + TestPNG.number(1) + [8, 3, 0, 0, 0], [],
        ] {
            #expect(Pixmap(png: TestPNG.file(header: header, chunks: [("IDAT", rows)])) == nil)
        }
    }

    @Test("a smaller picture's pixels are means, of what is opaque only")
    func scaling() throws {
        let samples: [UInt8] = [10, 20, 30, 255, 30, 40, 50, 255, 200, 200, 200, 0, 0, 0, 0, 255]
        let pixmap = try #require(Pixmap(width: 2, height: 2, samples: samples))
        #expect(pixmap.scaled(to: 1, 1).samples == [13, 20, 27, 191])
        #expect(pixmap.scaled(to: 4, 4).samples.prefix(8) == [10, 20, 30, 255, 10, 20, 30, 255])
        #expect(pixmap.scaled(to: 2, 2) == pixmap)
        let wide = try TestPNG.pixmap(100, 40)
        #expect(wide.scaled(to: 7, 3).width == 7 && wide.scaled(to: 7, 3).height == 3)
    }
}
