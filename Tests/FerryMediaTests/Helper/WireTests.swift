import FerryMediaWire
import Testing

@Suite("What the library and ferry-media say to each other")
struct WireTests {
    static let toProgram: [LibraryMessage] = [
        .request(
            id: 1,
            .thumbnail(
                ThumbnailJob(
                    extensionHint: "jpé",
                    size: .max,
                    width: 16_384,
                    height: 1,
                    mode: .fill,
                    enlarges: true,
                    format: .webp,
                    quality: 100,
                    page: 1_000_000,
                    position: 0.25
                )
            )
        ),
        .request(id: 2, .thumbnail(ThumbnailJob(size: 0, width: 256, height: 128))),
        .request(id: .max, .properties(PropertiesJob(extensionHint: "", size: 12))),
        .bytes(id: 3, offset: 1 << 40, Array(0...255)),
        .bytes(id: 3, offset: 0, []),
        .failed(id: 4),
        .cancel(id: 5),
    ]

    static let toLibrary: [ProgramMessage] = [
        .ready(version: 255),
        .read(id: 1, offset: 1 << 50, length: WireFormat.longestRead),
        .done(
            id: 2,
            .thumbnail(ThumbnailResult(data: [0, 1, 255], width: 300, height: 70_000, format: .png))
        ),
        .done(id: 3, .properties([])),
        .done(
            id: 4,
            .properties([
                PropertyEntry("a", .text("Ünïcode")), PropertyEntry("b", .list([.text("x"), .text(""), .word("y")])),
                PropertyEntry("c", .integer(.min)), PropertyEntry("d", .number(-0.125)),
                PropertyEntry("e", .date(seconds: 1e9, offset: -3600)),
                PropertyEntry("f", .date(seconds: -1, offset: nil)),
                PropertyEntry("g", .fraction(1, 250)), PropertyEntry("h", .size(1, 2)),
                PropertyEntry("k", .boolean(true)),
                PropertyEntry("l", .duration(1.5)),
                PropertyEntry("i", .location(latitude: -90, longitude: 180, altitude: 8848)),
                PropertyEntry("j", .location(latitude: 0, longitude: 0, altitude: nil)),
            ])
        ),
        .refused(id: 5, .tooLarge, "a picture of 60000 × 60000"),
    ]

    @Test("every message to the program arrives as it was", arguments: toProgram)
    func requestsArrive(_ message: LibraryMessage) throws {
        #expect(try LibraryMessage(frame: message.frame.dropFirst(4)) == message)
    }

    @Test("every message to the library arrives as it was", arguments: toLibrary)
    func answersArrive(_ message: ProgramMessage) throws {
        #expect(try ProgramMessage(frame: message.frame.dropFirst(4)) == message)
    }

    @Test("a message that ends early, or late, is none")
    func lengths() {
        for frame in Self.toProgram.map(\.frame) {
            for count in 0..<(frame.count - 4) {
                #expect(throws: WireError.self) { try LibraryMessage(frame: frame.dropFirst(4).prefix(count)) }
            }
            #expect(throws: WireError.self) { try LibraryMessage(frame: (frame + [0]).dropFirst(4)) }
        }
        for frame in Self.toLibrary.map(\.frame) {
            for count in 0..<(frame.count - 4) {
                #expect(throws: WireError.self) { try ProgramMessage(frame: frame.dropFirst(4).prefix(count)) }
            }
            #expect(throws: WireError.self) { try ProgramMessage(frame: (frame + [0]).dropFirst(4)) }
        }
    }

    @Test("whatever bytes stand in a message, it is read or refused, and what was read can be written again")
    func mutations() throws {
        for frame in Self.toProgram.map(\.frame) + Self.toLibrary.map(\.frame) {
            for index in frame.indices.dropFirst(4) {
                for byte: UInt8 in [0, 1, 2, 127, 128, 255] {
                    var changed = frame
                    changed[index] = byte
                    // As they are written: a number that is none equals nothing, not even itself.
                    if let message = try? LibraryMessage(frame: changed.dropFirst(4)) {
                        #expect(message.frame == changed)
                    }
                    if let message = try? ProgramMessage(frame: changed.dropFirst(4)) {
                        #expect(message.frame == changed)
                    }
                }
            }
        }
    }

    @Test("frames come out whole, however their bytes arrive", arguments: [1, 2, 3, 7, 64, 100_000])
    func pieces(of size: Int) throws {
        let messages = Self.toProgram
        let bytes = messages.flatMap(\.frame)
        var buffer = FrameBuffer()
        var seen: [LibraryMessage] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + size)
            buffer.append(bytes[start..<end])
            start = end
            while let frame = try buffer.next() { seen.append(try LibraryMessage(frame: frame)) }
        }
        #expect(seen == messages)
        #expect(buffer.isEmpty)
    }

    @Test("what is missing of a frame is known from its length on")
    func missing() throws {
        var buffer = FrameBuffer()
        #expect(buffer.missing == 4)
        buffer.append([0, 0])
        #expect(buffer.missing == 2)
        buffer.append([0, 3, 9])
        #expect(buffer.missing == 2)
        buffer.append([8, 7])
        #expect(buffer.missing == 0)
        #expect(try buffer.next() == [9, 8, 7])
    }

    @Test(
        "a frame of no length, or of one that no frame has, ends the conversation",
        arguments: [[0, 0, 0, 0], [255, 255, 255, 255], [4, 0, 0, 1]] as [[UInt8]]
    )
    func badLengths(_ length: [UInt8]) {
        var buffer = FrameBuffer()
        buffer.append(length)
        #expect(throws: WireError.self) { try buffer.next() }
    }

    @Test("a job of a size, quality, page or position that can't be is refused")
    func badJobs() {
        func refused(_ change: (inout ThumbnailJob) -> Void) -> Bool {
            var job = ThumbnailJob(size: 10, width: 10, height: 10)
            change(&job)
            return (try? LibraryMessage(frame: LibraryMessage.request(id: 1, .thumbnail(job)).frame.dropFirst(4)))
                == nil
        }
        #expect(!refused { _ in })
        #expect(refused { $0.size = -1 })
        #expect(refused { $0.width = 0 })
        #expect(refused { $0.height = 16_385 })
        #expect(refused { $0.quality = 0 })
        #expect(refused { $0.page = 0 })
        #expect(refused { $0.position = 1.5 })
        #expect(refused { $0.position = .nan })
    }
}
