import Testing

@testable import FerrySFTP

@Suite("How much is sent ahead")
struct SFTPWindowTests {
    @Test("grows while a long line answers as fast as when it was idle, up to 16 MiB")
    func grows() {
        var size = SFTPWindow.Size()
        #expect(size.bytes == 64 * 32_768)
        size.answered(after: .milliseconds(20), isFull: false)
        #expect(size.bytes == SFTPWindow.Size.first && size.roundTrip == .milliseconds(20))
        for _ in 0..<1000 { size.answered(after: .milliseconds(25), isFull: true) }
        #expect(size.bytes == SFTPWindow.Size.most)
    }

    @Test(
        "stays where answers queue, where the line is short, and where it is not all used",
        arguments: [
            (shortest: 20, later: 45, isFull: true), (shortest: 1, later: 1, isFull: true),
            (shortest: 20, later: 25, isFull: false),
        ]
    )
    func stays(_ shortest: Int, _ later: Int, _ isFull: Bool) {
        var size = SFTPWindow.Size()
        size.answered(after: .milliseconds(shortest), isFull: false)
        for _ in 0..<100 { size.answered(after: .milliseconds(later), isFull: isFull) }
        #expect(size.bytes == SFTPWindow.Size.first)
    }

    @Test("is shared by streams, each of which has four requests at least")
    func shares() {
        let window = SFTPWindow()
        window.enter()
        #expect(window.share(request: 32_768) == SFTPWindow.Size.first)
        for _ in 0..<3 { window.enter() }
        #expect(window.share(request: 32_768) == SFTPWindow.Size.first / 4)
        #expect(window.share(request: 1 << 20) == 4 << 20)
        for _ in 0..<3 { window.leave() }
        #expect(window.share(request: 32_768) == SFTPWindow.Size.first)
    }
}
