import FerryCore
import FerryTestKit
import FerryTestServers
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerrySFTP

@Suite("Writes that a server refuses lose nothing")
struct FailedWriteTests {
    private static let piece = 32_768

    @Test("bytes behind a gap don't count, and the file ends before it: its size says how far it is")
    func gap() async throws {
        let server = ScriptedServer { request in
            guard request.type == .write else { return nil }
            var fields = request.fields
            let offset = (try? fields.readField()).flatMap { _ in fields.readInteger(as: UInt64.self) }
            return .bytes([ScriptedServer.status(request.id, offset == UInt64(Self.piece) ? 4 : 0, "no room")])
        }
        let files = try server.provider()
        let length = Int64(4 * Self.piece)
        let write = try await files.beginPartialWrite(path: "/a", length: length, options: WriteOptions()) { _ in }
        let counted = Mutex<Int64>(0)
        await #expect(throws: CocoaError.self) {
            try await files.writePart(
                of: write,
                offset: 0,
                contents: DataChunks(Data(count: Int(length))),
                length: length,
                wrote: { count in counted.withLock { $0 += count } }
            )
        }
        #expect(counted.withLock { $0 } == Int64(Self.piece))
        let cuts = server.requests.filter { $0.type == .fsetstat }
        #expect(cuts.count == 1)
        var fields = try #require(cuts.first).fields
        _ = try fields.readField()
        // Flags of the attributes (the size alone), and the size.
        #expect(fields.readInteger(as: UInt32.self) == 1)
        #expect(fields.readInteger(as: UInt64.self) == UInt64(Self.piece))
    }

    @Test("what a broken line has left is removed by the next line, also where it appears only later")
    func leftover() async throws {
        let removals = Mutex<[String]>([])
        let server = ScriptedServer { request in
            switch request.type {
            case .write: return .end(ByteBuffer())
            case .remove:
                let count = removals.withLock {
                    $0.append(request.text)
                    return $0.count
                }
                return .bytes([ScriptedServer.status(request.id, [2, 4, 0][min(count, 3) - 1])])
            default: return nil
            }
        }
        await #expect(throws: URLError.self) {
            // A second, and a third try: however long they take, the patience with a broken line doesn't end.
            try await server.provider(clock: StandingClock(endless: .seconds(10)))
                .writeContents(path: "/a", contents: Data("data".utf8))
        }
        #expect(removals.withLock { $0.count } == 3)
        #expect(Set(removals.withLock { $0 }) == Set(server.requests.filter { $0.type == .open }.map(\.text)))
        #expect(server.openedLines == 2)
    }

    @Test(
        "a file is synchronized where that is wanted and the server can, before it gets its name",
        arguments: [true, false]
    )
    func synchronizing(_ can: Bool) async throws {
        let server = ScriptedServer(extensions: can ? [.fsync] : []) { request in
            switch request.type {
            case .fstat: .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 4, mode: 0o100644))])
            case .extended: .bytes([ScriptedServer.status(request.id, 0)])
            default: nil
            }
        }
        let files = try server.provider()
        for synchronizes in [false, true] {
            try await files.writeStream(
                path: "/a\(synchronizes)",
                contents: DataChunks(Data("data".utf8)),
                length: 4,
                options: WriteOptions(synchronizes: synchronizes)
            )
            let extended = server.requests.filter { $0.type == .extended }.map(\.text)
            #expect(extended == (synchronizes && can ? ["fsync@openssh.com"] : []))
        }
        let order = server.requests.map(\.type)
        if can {
            let (sync, rename) = (order.lastIndex(of: .extended), order.lastIndex(of: .rename))
            #expect(try #require(sync) < #require(rename))
        }
    }

    @Test("the old file goes back where a server without posix-rename refuses the new one's name")
    func settling() async throws {
        let renames = Mutex<[String]>([])
        let old = SFTPAttributes(size: 3, mode: 0o100644)
        let server = ScriptedServer { request in
            switch request.type {
            case .lstat where request.text == "/a": return .bytes([ScriptedServer.attributes(request.id, old)])
            case .fstat: return .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 4, mode: 0o100644))])
            case .rename:
                let count = renames.withLock {
                    $0.append(request.text)
                    return $0.count
                }
                return count == 2 ? .bytes([ScriptedServer.status(request.id, 4, "no")]) : nil
            default: return nil
            }
        }
        let files = try server.provider()
        // Items that an owner has left behind are removed by its next run: the old file must not look like them.
        let owner = TemporaryOwner(work: "0123ab", run: 0xcd)
        await #expect(throws: CocoaError.self) {
            try await OperationContext.with(\.temporaryOwner, owner) {
                try await files.writeContents(path: "/a", contents: Data("data".utf8), overwrite: true)
            }
        }
        let names = renames.withLock { $0 }
        #expect(names.count == 3 && names.first == "/a")
        #expect(names.last.map { $0.hasPrefix("/.ferry-") && !$0.hasPrefix("/.ferry-0123") } == true, "\(names)")
        #expect(!server.requests.contains { $0.type == .remove && $0.text == names.last })
    }

    @Test("a server that sets no attributes keeps the file all the same", arguments: [UInt32(3), 8])
    func attributesRefused(_ code: UInt32) async throws {
        let server = ScriptedServer { request in
            switch request.type {
            case .fsetstat: .bytes([ScriptedServer.status(request.id, code, "no")])
            case .fstat: .bytes([ScriptedServer.attributes(request.id, SFTPAttributes(size: 4, mode: 0o100644))])
            default: nil
            }
        }
        try await server.provider().writeStream(
            path: "/a",
            contents: DataChunks(Data("data".utf8)),
            length: 4,
            options: WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_577_934_245))
        )
        #expect(server.requests.contains { $0.type == .rename && $0.text.hasPrefix("/.ferry-") })
    }

    @Test("what stays listed although it is said to be gone ends a removal as an error")
    func listedForEver() async throws {
        let answered = Mutex<Set<String>>([])
        let folder = SFTPAttributes(mode: 0o040755)
        let server = ScriptedServer { request in
            switch request.type {
            case .lstat where request.text == "/d": return .bytes([ScriptedServer.attributes(request.id, folder)])
            case .readdir where answered.withLock({ $0.insert(request.text).inserted }):
                let names = [("ghost", SFTPAttributes(size: 1, mode: 0o100644))]
                return .bytes([ScriptedServer.names(request.id, names)])
            case .remove: return .bytes([ScriptedServer.status(request.id, 2, "none")])
            default: return nil
            }
        }
        await #expect(throws: CocoaError.self) { try await server.provider().removeItem(path: "/d") }
        #expect(!server.requests.contains { $0.type == .rmdir })
    }
}
