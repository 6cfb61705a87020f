import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import NIOCore
import Testing

@testable import FerryWebDAV

/// The line to a Nextcloud is cut at many bytes: a name shows the old content or the new, nothing is left, and the next
/// request works.
@Suite("Pulled plugs on Nextcloud", .serialized)
struct NextcloudPulledPlugTests {
    /// Where to cut, and how often: once, or until somebody mends it.
    static func faults(_ offsets: some Sequence<Int>) -> [Fault] {
        offsets.flatMap { offset in
            [
                Fault.cutRequest(after: offset, times: 1), .cutAnswer(after: offset, times: 1),
                .cutRequest(after: offset), .cutAnswer(after: offset),
            ]
        }
    }

    @Test("a file that is replaced holds the old content or the new")
    func replacing() async throws {
        try await withAliceOnALine { line in
            try await line.alice.writeContents(path: "/a.txt", contents: Data("first".utf8))
            var holds = Data("first".utf8)
            for (number, fault) in Self.faults(stride(from: 0, to: 6_000, by: 401)).enumerated() {
                let new = Data("content \(number) ".utf8) + Data(repeating: 7, count: 2_000)
                line.proxy.fault = fault
                let isWritten = await succeeds {
                    try await line.alice.writeContents(path: "/a.txt", contents: new, overwrite: true)
                }
                line.proxy.fault = nil
                let found = try #require(line.server.node("a.txt")?.content)
                #expect(found == new || (!isWritten && found == holds), "\(fault)")
                holds = found
            }
            // Also what could not be removed when the line was dead is gone with the next upload.
            try await line.alice.writeContents(path: "/a.txt", contents: Data("last".utf8), overwrite: true)
            #expect(line.server.node("a.txt")?.content == Data("last".utf8))
            #expect(line.server.uploads.isEmpty)
            #expect(try await line.alice.contentsOfDirectory(path: "/").map(\.name) == ["a.txt"])
            #expect(line.server.trashedNames.isEmpty)
        }
    }

    @Test("a new file is there as a whole, or not at all")
    func creating() async throws {
        try await withAliceOnALine { line in
            for (number, fault) in Self.faults(stride(from: 0, to: 302_000, by: 30_101)).enumerated() {
                let new = Data(repeating: UInt8(number), count: 300_000)
                let path = ItemPath.root.appending("\(number).bin")
                line.proxy.fault = fault
                let isWritten = await succeeds { try await line.alice.writeContents(path: path, contents: new) }
                line.proxy.fault = nil
                let found = line.server.node(path.string)?.content
                #expect(found == new || (!isWritten && found == nil), "\(fault)")
                let names = try await line.alice.contentsOfDirectory(path: "/").map(\.name)
                #expect(names.allSatisfy { $0.hasSuffix(".bin") } && names.count <= number + 1)
            }
            #expect(line.server.uploads.isEmpty)
        }
    }

    @Test("a large upload loses chunks, the assembly or its answer, and goes on")
    func chunks() async throws {
        let size = 11 << 20
        try await withLocalFile(of: size) { file, content in
            try await withAliceOnALine {
                $0.maximumChunkSize = 1 << 20
            } perform: { line in
                // In the beginning, in a chunk, in the answer to one, and around the assembly.
                let faults: [Fault] = [
                    .cutRequest(after: 1_500), .cutAnswer(after: 1_500), .cutRequest(after: 6_000_000, times: 1),
                    .cutRequest(after: 6_000_000), .cutAnswer(after: 3_000, times: 1), .cutRequest(after: size + 9_000),
                    .cutAnswer(after: 9_000),
                ]
                for (number, fault) in faults.enumerated() {
                    let target = ItemPath.root.appending("\(number).bin")
                    line.proxy.fault = fault
                    let isWritten = await succeeds { try await line.alice.copyItem(localFile: file, to: target) }
                    line.proxy.fault = nil
                    let found = line.server.node(target.string)?.content
                    #expect(found == content || (!isWritten && found == nil), "\(fault)")
                    if !isWritten, found == nil { try await line.alice.copyItem(localFile: file, to: target) }
                    #expect(line.server.node(target.string)?.content == content)
                    #expect(line.server.uploads.isEmpty, "\(fault)")
                    try await line.alice.removeItemForGood(path: target)
                }
            }
        }
    }

    @Test("a bulk whose line is cut is finished file by file, and no file is in its own way")
    func bulk() async throws {
        try await withAliceOnALine { line in
            for (number, fault) in Self.faults(stride(from: 0, to: 30_000, by: 5_003)).enumerated() {
                let folder = ItemPath.root.appending("\(number)")
                try await line.alice.create(folder: folder.lastName, at: "/")
                let files = (0..<60).map { index in
                    BulkFile(
                        path: folder.appending("\(index).txt"),
                        contents: Data("content \(index) ".utf8) + Data(repeating: 9, count: 200)
                    )
                }
                line.proxy.fault = fault
                let results = try? await line.alice.writeFiles(files, overwrite: false)
                line.proxy.fault = nil
                if fault.times != nil {
                    #expect(results?.allSatisfy { (try? $0.get()) != nil } == true, "\(fault)")
                }
                for file in files {
                    let found = line.server.node(file.path.string)?.content
                    #expect(found == nil || found == file.contents)
                }
                let again = try await line.alice.writeFiles(files, overwrite: true)
                #expect(again.allSatisfy { (try? $0.get()) != nil })
                #expect(files.allSatisfy { line.server.node($0.path.string)?.content == $0.contents })
            }
        }
    }

    @Test("a download goes on at the byte where it broke; with a dead line it leaves nothing")
    func downloads() async throws {
        try await withLocalFile(of: 1 << 20) { file, content in
            try await withAliceOnALine { line in
                try await line.alice.copyItem(localFile: file, to: "/a.bin")
                let target = file.deletingLastPathComponent().appending(path: "back.bin")
                for fault in Self.faults(stride(from: 0, to: 1 << 20, by: 199_999)) {
                    line.proxy.fault = fault
                    let isRead = await succeeds { try await line.alice.copyItem(path: "/a.bin", toLocalURL: target) }
                    line.proxy.fault = nil
                    if fault.times != nil { #expect(isRead, "\(fault)") }
                    #expect(isRead ? try Data(contentsOf: target) == content : !target.isThere, "\(fault)")
                    try? FileManager.default.removeItem(at: target)
                }
                #expect(try await line.alice.contents(path: "/a.bin") == content)
            }
        }
    }

    private func succeeds(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return true
        } catch {
            return false
        }
    }
}

extension URL {
    fileprivate var isThere: Bool { FileManager.default.fileExists(atPath: path(percentEncoded: false)) }
}
