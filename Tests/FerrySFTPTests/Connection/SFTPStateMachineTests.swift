import FerryTestKit
import NIOCore
import Testing

@testable import FerrySFTP

@Suite("SFTP's state machine")
struct SFTPStateMachineTests {
    private static let version = message(2) { $0.writeInteger(UInt32(3)) }

    /// A message as a server sends it.
    static func message(_ type: UInt8, _ fields: (inout ByteBuffer) -> Void) -> ByteBuffer {
        var body = ByteBuffer()
        body.writeInteger(type)
        fields(&body)
        var message = ByteBuffer()
        message.writeInteger(UInt32(body.readableBytes))
        message.writeBuffer(&body)
        return message
    }

    private static func status(_ id: UInt32, _ code: UInt32) -> ByteBuffer {
        message(101) { $0.writeMultipleIntegers(id, code, UInt32(0), UInt32(0)) }
    }

    private static func handle(_ id: UInt32, _ name: [UInt8]) -> ByteBuffer {
        message(102) {
            $0.writeInteger(id)
            $0.writeField(name)
        }
    }

    private static func running() throws -> SFTPStateMachine {
        var machine = SFTPStateMachine()
        #expect(try machine.receive(version) == [.version(SFTPVersion(number: 3))])
        return machine
    }

    @Test("answers come in any order, each to its request")
    func outOfOrder() throws {
        var machine = try Self.running()
        let first = machine.add(.open(SFTPPath("a".utf8), .read)).id
        let second = machine.add(.remove(SFTPPath("b".utf8))).id
        #expect(machine.pendingCount == 2)
        var bytes = Self.status(second, 0)
        bytes.writeImmutableBuffer(Self.handle(first, [1]))
        #expect(
            try machine.receive(bytes) == [
                .answer(second, .status(SFTPStatus(.ok))), .answer(first, .handle([1])),
            ]
        )
        #expect(machine.pendingCount == 0)
    }

    @Test("bytes may be split anywhere")
    func splitAnywhere() throws {
        var machine = SFTPStateMachine()
        let id = machine.add(.open(SFTPPath("a".utf8), .read)).id
        var bytes = Self.version
        bytes.writeImmutableBuffer(Self.handle(id, [1, 2, 3]))
        var events: [SFTPStateMachine.Event] = []
        while let byte = bytes.readSlice(length: 1) { events += try machine.receive(byte) }
        #expect(events == [.version(SFTPVersion(number: 3)), .answer(id, .handle([1, 2, 3]))])
        #expect(!machine.isWithinMessage)
    }

    @Test("what an abandoned request has opened is handed out to be closed, and nothing else of it")
    func abandoned() throws {
        var machine = try Self.running()
        let opened = machine.add(.open(SFTPPath("a".utf8), .read)).id
        let other = machine.add(.lstat(SFTPPath("a".utf8))).id
        machine.abandon(opened)
        machine.abandon(other)
        #expect(machine.pendingCount == 2)
        #expect(try machine.receive(Self.status(other, 2)) == [])
        #expect(try machine.receive(Self.handle(opened, [9])) == [.unwanted([9])])
        #expect(machine.pendingCount == 0)
    }

    @Test("an answer to nothing, a second answer, and one of the wrong kind end the line")
    func wrongAnswers() throws {
        var machine = try Self.running()
        let id = machine.add(.remove(SFTPPath("a".utf8))).id
        #expect(throws: SFTPProtocolError.self) { try machine.receive(Self.status(id + 1, 0)) }
        machine = try Self.running()
        let removal = machine.add(.remove(SFTPPath("a".utf8))).id
        _ = try machine.receive(Self.status(removal, 0))
        #expect(throws: SFTPProtocolError.self) { try machine.receive(Self.status(removal, 0)) }
        machine = try Self.running()
        let look = machine.add(.lstat(SFTPPath("a".utf8))).id
        #expect(throws: SFTPProtocolError.self) { try machine.receive(Self.handle(look, [1])) }
        machine = try Self.running()
        let success = machine.add(.lstat(SFTPPath("a".utf8))).id
        #expect(throws: SFTPProtocolError.self) { try machine.receive(Self.status(success, 0)) }
    }

    @Test(
        "messages that can't be are refused before anything is kept for them",
        arguments: [
            ByteBuffer(integer: UInt32(0)), ByteBuffer(integer: UInt32.max), ByteBuffer(string: "HTTP/1.1 400"),
            message(99) { $0.writeInteger(UInt32(0)) }, message(2) { $0.writeInteger(UInt32(2)) }, message(2) { _ in },
            message(101) { $0.writeInteger(UInt32(0)) },
        ]
    )
    func senseless(_ bytes: ByteBuffer) {
        #expect(throws: SFTPProtocolError.self) {
            var machine = SFTPStateMachine()
            _ = try machine.receive(bytes)
        }
    }

    @Test("more data than was asked for, and overlong handles and counts end the line")
    func tooMuch() throws {
        var machine = try Self.running()
        let read = machine.add(.read([1], offset: 0, length: 2)).id
        let data = Self.message(103) {
            $0.writeInteger(read)
            $0.writeField([1, 2, 3])
        }
        #expect(throws: SFTPProtocolError.self) { try machine.receive(data) }
        machine = try Self.running()
        let opening = machine.add(.open(SFTPPath("a".utf8), .read)).id
        let long = Self.handle(opening, [UInt8](repeating: 1, count: 257))
        #expect(throws: SFTPProtocolError.self) { try machine.receive(long) }
        machine = try Self.running()
        let listing = machine.add(.readdir([1])).id
        let names = Self.message(104) { $0.writeMultipleIntegers(listing, UInt32(1_000_000)) }
        #expect(throws: SFTPProtocolError.self) { try machine.receive(names) }
    }

    @Test("random bytes end the line, or mean nothing yet; they never stop the program", arguments: 0..<200)
    func random(_ seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        var machine = SFTPStateMachine()
        _ = machine.add(.readdir([1]))
        var bytes = Self.version
        for _ in 0..<Int.random(in: 1...400, using: &numbers) {
            bytes.writeInteger(UInt8.random(in: 0...(seed % 2 == 0 ? 8 : 255), using: &numbers))
        }
        do {
            let events = try machine.receive(bytes)
            #expect(events.count <= 2)
        } catch {
            #expect(error is SFTPProtocolError)
        }
    }
}
