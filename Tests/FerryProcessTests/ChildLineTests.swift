import FerryTestServers
import Foundation
import Testing

@testable import FerryProcess

/// A child that another test starts holds copies of all descriptors until its program runs: ends are waited for.
@Suite("Lines to children")
struct ChildLineTests {
    private struct Refusal: Error {}

    private static let cat = ChildProgram(path: "/bin/cat", environment: [:])

    /// Reads without waiting.
    ///
    /// - Returns: 0 if the other end is closed everywhere, -1 if there is nothing to read yet.
    private static func receive(_ socket: CInt) -> Int {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, CInt(MSG_DONTWAIT))
    }

    @Test("a socket is for both directions")
    func socket() async throws {
        let line = try ChildLine.socket()
        let process = try line.lend { try ChildProcess(Self.cat, input: $0, output: $0) }
        let words = Array("hello".utf8)
        #expect(send(line.ours, words, words.count, ChildLine.sendFlags) == words.count)
        shutdown(line.ours, CInt(SHUT_WR))
        let echo = try FileHandle(fileDescriptor: line.ours, closeOnDealloc: true).readToEnd()
        #expect(echo == Data(words))
        #expect(await process.ending(within: .seconds(300)) == .exited(0))
    }

    @Test("a pipe can be for the errors alone")
    func errors() async throws {
        let program = ChildProgram(
            path: "/bin/sh",
            arguments: ["-c", "echo out; echo oops >&2"],
            environment: [:]
        )
        let line = try ChildLine.pipe(isReading: false)
        let process = try line.lend { try ChildProcess(program, errors: $0) }
        let text = try FileHandle(fileDescriptor: line.ours, closeOnDealloc: true).readToEnd()
        #expect(text == Data("oops\n".utf8))
        #expect(await process.ending(within: .seconds(300)) == .exited(0))
    }

    @Test("a child that reads to the end ends when our end is closed, as it is when this process ends")
    func hangUp() async throws {
        let line = try ChildLine.pipe(isReading: true)
        let process = try line.lend { try ChildProcess(Self.cat, input: $0) }
        close(line.ours)
        #expect(await process.ending(within: .seconds(300)) == .exited(0))
    }

    @Test("writing to a child that is gone is an error, and raises no signal")
    func gone() async throws {
        let line = try ChildLine.socket()
        try line.lend { _ in }
        defer { close(line.ours) }
        var code: CInt = 0
        try await until("it is gone") {
            let count = send(line.ours, [UInt8(1)], 1, ChildLine.sendFlags)
            code = errno
            // Until then, what is sent is kept; when no more can be, sending is refused for now.
            return count == -1 && code != EAGAIN
        }
        #expect(code == EPIPE)
    }

    @Test("the child's end is closed here once it was lent, and ours if no child could be started")
    func closed() async throws {
        let line = try ChildLine.socket()
        try line.lend { _ in #expect(Self.receive(line.ours) == -1) }
        try await until("the child's end is closed") { Self.receive(line.ours) == 0 }
        close(line.ours)

        let refused = try ChildLine.socket()
        var copy: CInt = -1
        #expect(throws: Refusal.self) {
            try refused.lend { end in
                copy = dup(end)
                throw Refusal()
            }
        }
        try await until("our end is closed") { Self.receive(copy) == 0 }
        close(copy)
    }

    @Test("no end is inherited by chance")
    func closesOnExec() throws {
        for line in [try ChildLine.socket(), try ChildLine.pipe(isReading: true)] {
            try line.lend { end in
                for descriptor in [line.ours, end] { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
            }
            close(line.ours)
        }
    }
}
