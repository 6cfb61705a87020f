import FerryMediaWire
import FerryTestServers
import Foundation
import Testing

@Suite("What ferry-media reads of a file")
struct ReadingTests {
    private func grey(of answer: HelperProgram.Answer) async throws -> Int {
        guard case .thumbnail(let result) = answer else { throw WireError("\(answer)") }
        return try #require(try await Pixels.colours(in: result.data, at: [(x: 5, y: 5)]).first?.first)
    }

    @Test("the small picture in a photo of 24 megapixels costs at most 256 KiB of reading")
    func embedded() async throws {
        let small = MadePhoto.jpeg(width: 240, height: 160, isBlack: true)
        let file = MadePhoto.jpeg(width: 6000, height: 4000, orientation: 6, thumbnail: small)
        #expect(file.count > 700_000)
        let run = try await HelperProgram.with { program in
            let answer = try program.thumbnail(of: file) { ($0.width, $0.height) = (90, 90) }
            return (answer, program.bytesRead, program.reads.count)
        }
        #expect(run.result.1 <= 262_144)
        #expect(run.result.2 <= 3)
        // It is the small one, which is black, and upright.
        #expect(try await grey(of: run.result.0) < 8)
        guard case .thumbnail(let result) = run.result.0 else { return }
        #expect(result.width == 60)
        #expect(result.height == 90)
    }

    @Test(
        "a small picture that is too small, of another shape, or damaged isn't used",
        arguments: [(240, 160, 400), (160, 120, 90), (0, 0, 90)]
    )
    func notUsed(width: Int, height: Int, wanted: Int) async throws {
        var small = MadePhoto.jpeg(width: max(8, width), height: max(8, height), isBlack: true)
        if width == 0 { small = Array(small.prefix(30)) }
        let file = MadePhoto.jpeg(width: 6000, height: 4000, orientation: 1, thumbnail: small)
        let run = try await HelperProgram.with { program in
            try program.thumbnail(of: file) { ($0.width, $0.height) = (wanted, wanted) }
        }
        #expect((120...136).contains(try await grey(of: run.result)))
    }

    @Test("a file that is read from its start to its end is read once, in few portions")
    func row() async throws {
        let file = MadePhoto.jpeg(width: 12_000, height: 12_000)
        #expect(file.count > 4 << 20)
        let run = try await HelperProgram.with { program in
            let answer = try program.thumbnail(of: file)
            return (answer, program.reads)
        }
        guard case .thumbnail = run.result.0 else { throw WireError("\(run.result.0)") }
        let reads = run.result.1
        #expect(reads.reduce(0) { $0 + $1.length } <= file.count)
        #expect(reads.count <= 12)
        #expect(Set(reads.map(\.offset)).count == reads.count)
    }

    @Test("what can't be read is said so, and the next job is done")
    func failure() async throws {
        let file = MadePhoto.jpeg(width: 6000, height: 4000)
        let run = try await HelperProgram.with { program in
            let job = MediaJob.thumbnail(ThumbnailJob(size: Int64(file.count), width: 32, height: 32))
            return [
                try program.answer(to: job, file: file) { id, _ in .failed(id: id) },
                try program.answer(to: job, file: file) { id, part in part.offset > 0 ? .failed(id: id) : nil },
                try program.answer(to: job, file: file) { id, part in part.offset > 0 ? .cancel(id: id) : nil },
                try program.answer(to: job, file: file),
            ]
        }
        let reasons = run.result.map { if case .refused(let reason, _) = $0 { reason } else { nil as RefusalReason? } }
        #expect(reasons == [.unreadable, .unreadable, .cancelled, nil])
        #expect(run.ending == .exited(0))
    }

    @Test("a file that is shorter than it was said to be ends where it ends")
    func shorter() async throws {
        let file = try Samples.bytes("flag.png")
        let run = try await HelperProgram.with { program in
            let job = MediaJob.thumbnail(ThumbnailJob(size: 1 << 40, width: 32, height: 32))
            return try program.answer(to: job, file: file)
        }
        guard case .thumbnail = run.result else { throw WireError("\(run.result)") }
    }

    @Test("what is no message ends the program, and says so")
    func confusion() async throws {
        let run = try await HelperProgram.with { program in
            let job = MediaJob.thumbnail(ThumbnailJob(size: 1000, width: 32, height: 32))
            return try program.answer(to: job, file: [0xFF, 0xD8, 0xFF]) { id, part in
                .bytes(id: id, offset: part.offset + 1, [])
            }
        }
        #expect(run.result == .ended)
        #expect(run.ending == .exited(ProgramEnding.confused.rawValue))
    }
}
