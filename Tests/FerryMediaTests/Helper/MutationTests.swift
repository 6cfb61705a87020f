import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("Damaged files of every kind, given to ferry-media")
struct MutationTests {
    /// For each of the samples; together more than 2,000.
    static let mutations = 110

    private struct Outcome: Sendable {
        var answers = 0
        var memory = 0
    }

    @Test("whatever is damaged, there is an answer, in time and within the memory", arguments: Samples.all)
    func mutated(_ name: String) async throws {
        let sample = try Samples.bytes(name)
        let other = try Samples.bytes(Samples.all[(Samples.all.firstIndex(of: name) ?? 0) * 7 % Samples.all.count])
        var next = 0
        var ends: [String] = []
        var memory = 0
        while next < Self.mutations {
            let start = next
            let run = try await HelperProgram.with { program in
                var outcome = Outcome()
                for index in start..<Self.mutations {
                    var mutator = Mutator(seed: UInt64(index) &* 0x9E37_79B9 &+ UInt64(sample.count))
                    let file = mutator.mutate(sample, splicing: other)
                    let job = ThumbnailJob(size: Int64(file.count), width: 40, height: 40, format: .jpeg)
                    guard try program.answer(to: .thumbnail(job), file: file) != .ended else { return outcome }
                    let facts = PropertiesJob(size: Int64(file.count))
                    guard try program.answer(to: .properties(facts), file: file) != .ended else { return outcome }
                    outcome.answers += 1
                    outcome.memory = program.peakMemory
                }
                return outcome
            }
            next += run.result.answers
            memory = max(memory, run.result.memory)
            guard next < Self.mutations else {
                #expect(run.ending == .exited(0))
                break
            }
            // A decoder broke: the program is gone, and another one goes on with the next file.
            ends.append("\(name), mutation \(next): \(run.ending)")
            next += 1
        }
        #expect(next >= Self.mutations)
        #expect(memory <= HostileFileTests.memory)
        // Crashes in decoders are not ours; with more than one in a hundred, a decoder would have to be left out.
        #expect(ends.count <= Self.mutations / 100 + 1, "\(ends)")
    }

    @Test("there are at least 2,000 of them, and they differ")
    func count() throws {
        #expect(Samples.all.count * Self.mutations >= 2000)
        let sample = try Samples.bytes("flag.png")
        var seen: Set<[UInt8]> = []
        for index in 0..<Self.mutations {
            var mutator = Mutator(seed: UInt64(index))
            seen.insert(mutator.mutate(sample, splicing: sample))
        }
        #expect(seen.count > Self.mutations * 9 / 10)
    }
}

/// Damages files, always in the same way for the same seed.
struct Mutator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    }

    private mutating func number(below limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % max(1, limit)
    }

    /// Damages a file: bits, ends, pieces, lengths, and pieces of another.
    mutating func mutate(_ sample: [UInt8], splicing other: [UInt8]) -> [UInt8] {
        var file = sample
        switch number(below: 6) {
        case 0:
            for _ in 0...number(below: 20) { file[number(below: file.count)] ^= 1 << UInt8(number(below: 8)) }
        case 1: file.removeLast(1 + number(below: file.count - 1))
        case 2:
            // Lengths, as most formats write them: four bytes, the largest and the smallest.
            let values: [[UInt8]] = [
                [255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 0], [255, 255, 255, 127],
            ]
            for _ in 0...number(below: 3) {
                let start = number(below: max(1, min(file.count, 600) - 4))
                file.replaceSubrange(start..<min(file.count, start + 4), with: values[number(below: 4)])
            }
        case 3:
            let start = number(below: file.count)
            file.removeSubrange(start..<min(file.count, start + 1 + number(below: 64)))
        case 4:
            let start = number(below: file.count)
            let piece = number(below: other.count)
            file.insert(contentsOf: other[piece..<min(other.count, piece + 1 + number(below: 400))], at: start)
        default:
            for _ in 0...number(below: 8) {
                let start = number(below: file.count)
                for index in start..<min(file.count, start + 1 + number(below: 16)) {
                    file[index] = UInt8(truncatingIfNeeded: number(below: 256))
                }
            }
        }
        return file
    }
}
