import Testing

@testable import FerryTransfer

@Suite("What is missing of a file, cut into parts")
struct PartQueueTests {
    private func parts(
        of length: Int64,
        held: [Range<Int64>] = [],
        size: Int64,
        isGrid: Bool = false,
        alignment: Int64 = 1
    ) -> [Range<Int64>] {
        let held = RangeSet(held)
        let queue = PartQueue(length: length, held: held, partSize: size, isGrid: isGrid, alignment: alignment)
        return Array(AnyIterator { queue.next() })
    }

    @Test("all of it, in parts of one size")
    func whole() {
        #expect(parts(of: 25, size: 10) == [0..<10, 10..<20, 20..<25])
        #expect(parts(of: 20, size: 10, isGrid: true) == [0..<10, 10..<20])
        #expect(parts(of: 0, size: 10) == [])
    }

    @Test("only what lies between what is there, from the block on in which that begins")
    func gaps() {
        #expect(parts(of: 25, held: [0..<7, 12..<25], size: 4) == [7..<11, 11..<12])
        #expect(parts(of: 25, held: [0..<7, 12..<25], size: 4, alignment: 4) == [4..<8, 8..<12])
        #expect(parts(of: 25, held: [0..<25], size: 4) == [])
    }

    @Test("a part of a grid of which something is missing is sent whole, and once")
    func grid() {
        #expect(parts(of: 25, held: [2..<4, 10..<20], size: 10, isGrid: true) == [0..<10, 20..<25])
        #expect(parts(of: 25, held: [0..<10, 20..<22], size: 10, isGrid: true) == [10..<20, 20..<25])
    }

    @Test("a length that no file has costs nothing", arguments: [true, false])
    func endless(isGrid: Bool) {
        let queue = PartQueue(length: .max, held: RangeSet(), partSize: 8 << 20, isGrid: isGrid, alignment: 1)
        #expect(queue.next() == 0..<8 << 20)
        #expect(queue.next() == 8 << 20..<16 << 20)
        let end = Int64.max - 5
        #expect(parts(of: .max, held: [0..<end], size: 100) == [end..<Int64.max])
        let last = Int64.max / 100 * 100
        #expect(parts(of: .max, held: [0..<end], size: 100, isGrid: true) == [last..<Int64.max])
    }
}
