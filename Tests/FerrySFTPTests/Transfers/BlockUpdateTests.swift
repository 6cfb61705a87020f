import FerryCore
import FerryCrypto
import FerryLocal
import FerryTestKit
import FerryTestServers
import FerryTransfer
import Foundation
import NIOCore
import Testing

@testable import FerrySFTP

@Suite("Changing large files in place")
struct BlockUpdateTests {
    /// A folder on a server with a shell, behind a proxy that counts, and one on this machine.
    private struct Stage {
        let place: SSHServerPlace
        let proxy: FaultProxy
        let files: SFTPFileProvider
        let local: LocalFileProvider
        let folder: URL

        /// Copies `/a` from here to there, in place where that can be.
        func update(_ change: (inout TransferOptions) -> Void = { _ in }) async throws -> TransferReport {
            var options = TransferOptions()
            options.comparison = .nothing
            options.updatesInPlace = true
            change(&options)
            return try await Transfer(
                from: TransferPlace(local, "/"),
                to: TransferPlace(files, "/"),
                options: options
            ).run()
        }

        func write(_ data: Data) throws { try data.write(to: folder.appending(path: "a")) }
    }

    private static func withStage(
        _ options: SSHServer.Options = SSHServer.Options(isConfined: false),
        _ body: (Stage) async throws -> Void
    ) async throws {
        let server = try await SSHServer.shared(options)
        let place = try server.makePlace()
        defer { place.remove() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-blocks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withFaultProxy(to: server.port) { proxy in
            var options = SFTPOptions()
            options.configurationFile = try await server.clientConfiguration()
            let files = try SFTPFileProvider(baseURL: place.url(port: proxy.port), options: options)
            let local = LocalFileProvider(baseURL: folder)
            try await body(Stage(place: place, proxy: proxy, files: files, local: local, folder: folder))
            await files.invalidate()
        }
    }

    /// Bytes that look like nothing else, the same for the same seed.
    private static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var data = Data(capacity: count + 8)
        while data.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            withUnsafeBytes(of: state) { data.append(contentsOf: $0) }
        }
        return data.prefix(count)
    }

    private static func digits(_ data: Data) -> String {
        var hash = RunningHash(.sha256)
        data.withUnsafeBytes { hash.update($0) }
        return hash.finalize().hexadecimal
    }

    @Test(
        "a server's shell tells the checksums of blocks, the last one shorter",
        arguments: ["plain", "it's \"$x\" `y`\n-z"]
    )
    func checksums(_ name: String) async throws {
        try await Self.withStage { stage in
            let data = Self.bytes(300_001)
            let path = ItemPath.root.appending(name)
            try await stage.files.writeContents(path: path, contents: data)
            let sums = try await stage.files.blockChecksums(
                path: path,
                ranges: [65_536..<131_072, 196_608..<300_001],
                blockSize: 65_536
            )
            let parts = [65_536..<131_072, 196_608..<262_144, 262_144..<300_001]
            #expect(sums == parts.map { String(Self.digits(data[$0]).prefix(32)) })
            await #expect(throws: CocoaError.self) {
                try await stage.files.blockChecksums(path: "/gone", ranges: [0..<1], blockSize: 4096)
            }
        }
    }

    @Test("parts of a file change in place: its inode and permissions stay, its length becomes what was asked for")
    func edits() async throws {
        try await Self.withStage { stage in
            try stage.place.write(Data("0123456789".utf8), to: "f")
            chmod(stage.place.path + "/f", 0o640)
            let before = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/f")
            for (edits, length, wanted) in [
                ([(2, "ab"), (8, "yz")], 10, "01ab4567yz"), ([(10, "!!")], 12, "01ab4567yz!!"), ([(0, "-")], 3, "-1a"),
            ] {
                let date = Date(timeIntervalSince1970: 1_234_567_890)
                let file = try await stage.files.updateBlocks(
                    path: "/f",
                    edits: AsyncStream(edits.map { FileEdit(offset: Int64($0.0), bytes: ByteBuffer(string: $0.1)) }),
                    length: Int64(length),
                    options: WriteOptions(overwrite: true, modifiedDate: date)
                )
                #expect(file.size == Int64(length) && file.modifiedDate == date)
                #expect(stage.place.read("f") == Data(wanted.utf8))
            }
            let after = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/f")
            for key in [FileAttributeKey.systemFileNumber, .posixPermissions] {
                #expect(before[key] as? Int == after[key] as? Int)
            }
            await #expect(throws: CocoaError.self) {
                try await stage.files.updateBlocks(
                    path: "/gone",
                    edits: AsyncStream<FileEdit>([]),
                    length: 1,
                    options: WriteOptions(overwrite: true)
                )
            }
            #expect(stage.place.read("gone") == nil)
        }
    }

    @Test(
        "of a large file that changed in few places little is sent, and it becomes the same",
        arguments: [
            [3_000_000..<3_065_536], [0..<1], [(8 << 20) - 1..<8 << 20], [], [100..<200, 5_000_000..<5_000_001],
        ]
    )
    func fewChanges(_ changes: [Range<Int>]) async throws {
        try await Self.withStage { stage in
            var data = Self.bytes(8 << 20)
            try stage.write(data)
            _ = try await stage.update()
            for change in changes {
                for index in change { data[index] ^= 0x5A }
            }
            try stage.write(data)
            let inode = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/a")[.systemFileNumber]
            let (sent, received) = (stage.proxy.requestByteCount, stage.proxy.answerByteCount)
            let report = try await stage.update()
            #expect(report.failures.isEmpty)
            #expect(stage.place.read("a") == data)
            let after = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/a")[.systemFileNumber]
            #expect(inode as? Int == after as? Int)
            let changed = changes.reduce(0) { $0 + ($1.count + 2 * 16_384) }
            #expect(stage.proxy.requestByteCount - sent < changed + 40_000)
            #expect(stage.proxy.answerByteCount - received < 40_000)
        }
    }

    @Test(
        "a file that grew, shrank or is another one altogether becomes the same",
        arguments: [
            5 << 20, (4 << 20) + 1, (4 << 20) - 1, (3 << 20) + 77, 1 << 20,
        ]
    )
    func otherLengths(_ length: Int) async throws {
        try await Self.withStage { stage in
            let old = Self.bytes(4 << 20)
            try stage.place.write(old, to: "a")
            for seed: UInt64 in [1, 2] {
                let new = Self.bytes(length, seed: seed)
                try stage.write(new)
                #expect(try await stage.update().failures.isEmpty)
                #expect(stage.place.read("a") == new)
            }
        }
    }

    @Test("what somebody else writes meanwhile is found by the whole's checksum, and the whole file is sent")
    func otherWriter() async throws {
        try await Self.withStage { stage in
            let old = Self.bytes(4 << 20)
            var changed = old
            changed[1_500_000] ^= 1
            let new = changed
            for isCut in [false, true] {
                try stage.place.write(old, to: "a")
                try stage.write(new)
                let place = stage.place
                let faulty = FaultInjectingFileProvider(stage.files)
                var rules: [FaultPlan.Rule] = [
                    .init(
                        .checksum,
                        on: .call(1),
                        fault: .meanwhile {
                            var other = new
                            other[3_000_000] ^= 1
                            #expect(throws: Never.self) { try place.write(other, to: "a") }
                        }
                    )
                ]
                if isCut {
                    rules.append(.init(.writeStream, on: .always, fault: .error(CocoaError(.fileWriteUnknown))))
                }
                faulty.plan = FaultPlan(rules)
                var options = TransferOptions()
                options.comparison = .nothing
                options.updatesInPlace = true
                let report = try await Transfer(
                    from: TransferPlace(stage.local, "/"),
                    to: TransferPlace(faulty, "/"),
                    options: options
                ).run()
                #expect(report.failures.isEmpty == !isCut)
                // Wrong content has another length as long as it is there.
                if isCut {
                    #expect(stage.place.read("a")?.count == new.count + 1)
                } else {
                    #expect(stage.place.read("a") == new)
                }
            }
        }
    }

    @Test("blocks that are larger than what a server reads at a time are compared as well")
    func largeBlocks() async throws {
        try await Self.withStage { stage in
            let data = Self.bytes((5 << 20) + 3)
            try stage.place.write(data, to: "a")
            let size = Int64(data.count)
            let sums = try await stage.files.blockChecksums(path: "/a", ranges: [0..<size], blockSize: 2 << 20)
            let parts = [0..<2 << 20, 2 << 20..<4 << 20, 4 << 20..<data.count]
            #expect(sums == parts.map { String(Self.digits(data[$0]).prefix(32)) })
        }
    }

    @Test("where no shell answers, the whole file is sent, as ever")
    func noShell() async throws {
        try await Self.withStage(SSHServer.Options()) { stage in
            let (old, new) = (Self.bytes(2 << 20), Self.bytes(2 << 20, seed: 2))
            try stage.place.write(old, to: "a")
            try stage.write(new)
            let inode = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/a")[.systemFileNumber]
            #expect(try await stage.update().failures.isEmpty)
            #expect(stage.place.read("a") == new)
            let after = try FileManager.default.attributesOfItem(atPath: stage.place.path + "/a")[.systemFileNumber]
            #expect(inode as? Int != after as? Int)
        }
    }

    @Test("an update that breaks off is put right by the next run", arguments: [60_000, 300_000, 900_000])
    func brokenOff(_ bytes: Int) async throws {
        try await Self.withStage { stage in
            let old = Self.bytes(4 << 20)
            try stage.place.write(old, to: "a")
            var new = old
            new.replaceSubrange(1 << 20..<3 << 20, with: Self.bytes(2 << 20, seed: 2))
            try stage.write(new)
            let past = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_234_567_890)]
            try FileManager.default.setAttributes(past, ofItemAtPath: stage.place.path + "/a")
            stage.proxy.fault = .cutRequest(after: bytes, times: 1)
            _ = try? await stage.update {
                $0.comparison = .standard
                $0.outagePatience = .zero
            }
            #expect(stage.proxy.strikeCount == 1)
            // The date of a mixture is that of the original, give or take a second: its length tells.
            #expect(stage.place.read("a")?.count != new.count)
            #expect(try await stage.update { $0.comparison = .standard }.failures.isEmpty)
            #expect(stage.place.read("a") == new)
            #expect(try stage.place.names() == ["a"])
        }
    }
}

extension AsyncStream where Element: Sendable {
    fileprivate init(_ elements: [Element]) {
        self.init { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish()
        }
    }
}
