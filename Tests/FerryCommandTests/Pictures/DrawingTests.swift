import Foundation
import Testing

@testable import FerryCommand

@Suite("Pictures for terminals, read back as a terminal reads them")
struct DrawingTests {
    private static func terminal(_ style: PictureStyle, cell: PixelSize = .usualCell) -> PictureTerminal {
        PictureTerminal(style: style, columns: 80, rows: 24, cell: cell)
    }

    @Test("kitty's pieces are short, and make up the PNG")
    func kitty() throws {
        let png = TestPNG.data(try TestPNG.pixmap(120, 90))
        let drawn = try #require(DrawnPicture(png: png, on: Self.terminal(.kitty)))
        #expect(drawn.columns == 15 && drawn.rows == 6)
        let pieces = try Self.sequences(drawn).map { piece in
            try #require(piece.hasPrefix("\u{1B}_G") && piece.hasSuffix("\u{1B}\\"))
            return piece.dropFirst(3).dropLast(2).split(separator: ";", maxSplits: 1).map(String.init)
        }
        #expect(pieces.count > 1)
        #expect(pieces.first?.first == "a=T,f=100,q=2,C=1,c=15,r=6,m=1")
        #expect(pieces.dropFirst().dropLast().allSatisfy { $0[0] == "m=1" } && pieces.last?.first == "m=0")
        #expect(pieces.allSatisfy { $0[1].utf8.count <= 4096 })
        #expect(pieces.dropLast().allSatisfy { $0[1].utf8.count % 4 == 0 })
        #expect(Data(base64Encoded: pieces.map { $0[1] }.joined()) == png)
    }

    private static func sequences(_ drawn: DrawnPicture) throws -> [String] {
        guard case .pixels(let bytes) = drawn.content else { throw CocoaError(.fileReadUnknown) }
        let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\u{1B}_G").dropFirst()
        return parts.map { "\u{1B}_G" + $0 }
    }

    @Test("iTerm2's image is the PNG, with its size in cells")
    func iTerm2() throws {
        let png = TestPNG.data(try TestPNG.pixmap(120, 90))
        let drawn = try #require(DrawnPicture(png: png, on: Self.terminal(.iTerm2)))
        guard case .pixels(let bytes) = drawn.content else { throw CocoaError(.fileReadUnknown) }
        let text = String(decoding: bytes, as: UTF8.self)
        let head = "\u{1B}]1337;File=inline=1;size=\(png.count);width=15;height=6;preserveAspectRatio=1:"
        #expect(text.hasPrefix(head) && text.hasSuffix("\u{07}"))
        #expect(Data(base64Encoded: String(text.dropFirst(head.count).dropLast())) == png)
    }

    @Test(
        "sixels show the picture, but for a rounding of its colours",
        arguments: [(40, 30), (41, 13), (1, 1), (300, 200)]
    )
    func sixel(_ width: Int, _ height: Int) throws {
        let pixmap = try TestPNG.pixmap(width, height, isOpaque: false)
        let shown = try #require(SixelReader(SixelPicture.bytes(pixmap)))
        #expect(shown.width == width && shown.height == height && shown.colourCount <= 255)
        var error = 0
        for y in 0..<height {
            for x in 0..<width {
                switch (pixmap[x, y], shown.pixels[y * width + x]) {
                case (nil, nil): continue
                case (let old?, let new?):
                    let distances = [(old.red, new.red), (old.green, new.green), (old.blue, new.blue)]
                        .map { abs(Int($0) - Int($1)) }
                    error += distances.reduce(0, +)
                    #expect(distances.allSatisfy { $0 < 96 })
                default: Issue.record("a pixel at \(x), \(y) is shown, or is not")
                }
            }
        }
        #expect(error / (3 * width * height) < 12)
    }

    @Test("few colours are shown exactly, as far as percents go")
    func fewColours() throws {
        let samples: [UInt8] = [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 51, 102, 153, 255]
        let pixmap = try #require(Pixmap(width: 4, height: 1, samples: samples))
        let text = String(decoding: SixelPicture.bytes(pixmap), as: UTF8.self)
        #expect(text.hasPrefix("\u{1B}P0;1;0q\"1;1;4;1#") && text.hasSuffix("\u{1B}\\"))
        #expect(["100;0;0", "0;100;0", "0;0;100", "20;40;60"].allSatisfy { text.contains(";2;\($0)") })
    }

    @Test("half blocks show two pixels each, and nothing where the picture is clear")
    func blocks() throws {
        let samples: [UInt8] = [1, 2, 3, 255, 0, 0, 0, 0, 9, 9, 9, 255, 4, 5, 6, 255, 7, 8, 9, 255, 0, 0, 0, 0]
        let pixmap = try #require(Pixmap(width: 3, height: 2, samples: samples))
        #expect(
            BlockPicture.lines(pixmap, hasAllColours: true) == [
                "\u{1B}[38;2;1;2;3;48;2;4;5;6m▀\u{1B}[38;2;7;8;9;49m▄\u{1B}[38;2;9;9;9;49m▀\u{1B}[0m"
            ]
        )
        let clear = try #require(Pixmap(width: 2, height: 1, samples: [0, 0, 0, 0, 0, 0, 0, 0]))
        #expect(BlockPicture.lines(clear, hasAllColours: false) == ["\u{1B}[39;49m  \u{1B}[0m"])
    }

    @Test(
        "of 256 colours the nearest is taken",
        arguments: [
            (0, 0, 0, 16), (255, 255, 255, 231), (255, 0, 0, 196), (95, 135, 175, 67), (128, 128, 128, 244),
            (100, 140, 170, 67), (8, 8, 8, 232), (238, 238, 238, 255),
        ] as [(UInt8, UInt8, UInt8, Int)]
    )
    func colours(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ index: Int) {
        #expect(BlockPicture.index(of: Pixmap.Colour(red: red, green: green, blue: blue)) == index)
    }

    @Test("a picture keeps its shape whatever the cells are, fits, and is never enlarged")
    func shape() {
        func cells(_ terminal: PictureTerminal, _ width: Int, _ height: Int) -> [Int] {
            let cells = terminal.cells(of: PixelSize(width: width, height: height), columns: 80, rows: 24)
            return [cells.columns, cells.rows]
        }
        let usual = Self.terminal(.blocks)
        #expect(cells(usual, 80, 80) == [10, 5])
        #expect(cells(usual, 8000, 80) == [80, 1])
        #expect(cells(usual, 1000, 1000) == [48, 24])
        #expect(cells(usual, 1, 1) == [1, 1])
        let square = Self.terminal(.kitty, cell: PixelSize(width: 10, height: 10))
        #expect(cells(square, 100, 100) == [10, 10])
        #expect(cells(square, 1000, 500) == [48, 24])
    }

    @Test("what is no PNG is not drawn")
    func noPicture() {
        for style in PictureStyle.allCases {
            #expect(DrawnPicture(png: Data("GIF89a".utf8), on: Self.terminal(style)) == nil)
        }
    }
}

/// Reads sixels as a terminal does.
struct SixelReader {
    let width: Int
    let height: Int
    let colourCount: Int
    private(set) var pixels: [Pixmap.Colour?]

    init?(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("\u{1B}P0;1;0q\""), text.hasSuffix("\u{1B}\\") else { return nil }
        var rest = Array(text.dropFirst(9).dropLast(2).utf8)[...]
        func numbers() -> [Int] {
            let digits = rest.prefix { (48...57).contains($0) || $0 == UInt8(ascii: ";") }
            rest = rest.dropFirst(digits.count)
            return String(decoding: digits, as: UTF8.self).split(separator: ";").compactMap { Int($0) }
        }
        let raster = numbers()
        guard raster.count == 4 else { return nil }
        (width, height) = (raster[2], raster[3])
        pixels = Array(repeating: nil, count: width * height)
        var colours: [Int: Pixmap.Colour] = [:]
        var (x, top, colour, count) = (0, 0, 0, 1)
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "#"):
                let parts = numbers()
                colour = parts[0]
                guard parts.count == 5 else { continue }
                let samples = parts[2...].map { UInt8(($0 * 255 + 50) / 100) }
                colours[colour] = Pixmap.Colour(red: samples[0], green: samples[1], blue: samples[2])
            case UInt8(ascii: "!"): count = numbers().first ?? 1
            case UInt8(ascii: "$"): x = 0
            case UInt8(ascii: "-"): (x, top) = (0, top + 6)
            case 63...126:
                for _ in 0..<count {
                    for bit in 0..<6 where (byte - 63) >> UInt8(bit) & 1 == 1 {
                        guard x < width, top + bit < height, let shown = colours[colour] else { return nil }
                        pixels[(top + bit) * width + x] = shown
                    }
                    x += 1
                }
                count = 1
            default: return nil
            }
        }
        colourCount = colours.count
    }
}
