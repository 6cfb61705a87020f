import FerryCore
import Foundation
import Testing

@Suite("A temporary name says which process writes")
struct TemporaryWriterTests {
    @Test("which is dead when it has ended, also if another has its number since")
    func ended() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sleep")
        process.arguments = ["3600"]
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        let start = try #require(ProcessMark.start(of: process.processIdentifier))
        let writer = try #require(TemporaryWriter(ProcessMark(number: process.processIdentifier, start: start)))
        let found = try #require(TemporaryWriter(writer.uuid()))
        #expect(found == writer && !found.isDead)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(found.isDead)
        let former = try #require(TemporaryWriter(ProcessMark(number: getpid(), start: "1" + start)))
        #expect(former.isDead)
        #expect(try #require(TemporaryWriter.current).isDead == false)
    }

    @Test("unless it says whose work it is")
    func owned() async throws {
        let writer = try #require(TemporaryWriter(TemporaryOwner.uuid()))
        #expect(writer == TemporaryWriter.current)
        let owner = try #require(TemporaryOwner(work: "abcdef01", run: 7))
        let id = await OperationContext.with(\.temporaryOwner, owner) { TemporaryOwner.uuid() }
        #expect(id.uuidString.lowercased().hasPrefix("abcdef07") && TemporaryWriter(id) == nil)
    }

    @Test("and nothing is said of other machines, nor by other names")
    func others() throws {
        let writer = try #require(TemporaryWriter.current)
        let id = writer.uuid()
        #expect(id != writer.uuid() && UUID(uuidString: id.uuidString.lowercased()) == id)
        // RFC 9562, section 5.8.
        #expect(Array(id.uuidString)[14] == "8" && "89AB".contains(Array(id.uuidString)[19]))
        #expect(TemporaryWriter(UUID()) == nil)
        let digits = id.uuidString.dropFirst(8)
        let elsewhere = try #require(UUID(uuidString: "01234567\(digits)"))
        #expect(try #require(TemporaryWriter(elsewhere)).isDead == false)
    }
}
