import FerryCore
import FerryFTP
import FerryLocal
import FerryTestKit
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@Suite("One large file")
struct LargeFileTests {
    @Test("comes by several connections at the same time, and is whole", arguments: [FTPServerWay(.vsftpd, .explicit)])
    func severalConnections(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            let content = Data((0..<40 << 18).flatMap { number in withUnsafeBytes(of: UInt32(number)) { Array($0) } })
            try stage.place.write(content, to: "big")
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-large-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let report = try await Transfer(
                from: TransferPlace(stage.provider, "/"),
                to: TransferPlace(LocalFileProvider(baseURL: folder), "/")
            ).run()
            #expect(report.failures.isEmpty)
            #expect(try Data(contentsOf: folder.appending(path: "big")) == content)
            // Each has one for commands and one for data.
            #expect(stage.proxy.mostConnections >= 4)
        }
    }

    @Test(
        "that finds no room is refused as such, also where the server breaks the connection before it says so",
        .enabled(if: geteuid() == 0, "mounting needs root"),
        arguments: [FTPServerWay(.vsftpd, .plain), FTPServerWay(.proftpd, .plain), FTPServerWay(.proftpd, .explicit)]
    )
    func noRoom(_ way: FTPServerWay) async throws {
        try await withStage(way) { stage in
            guard let disk = try await SmallDisk.mount(at: stage.place) else {
                try Test.cancel("this system lets nobody mount anything")
            }
            do {
                try disk.fill()
                for size in [64 << 10, 3 << 20, 64 << 10, 3 << 20, 3 << 20] {
                    let error = await #expect(throws: CocoaError.self) {
                        try await stage.provider.writeContents(path: "/a", contents: Data(count: size))
                    }
                    #expect(error?.code == .fileWriteOutOfSpace, "\(size) bytes: \(String(describing: error))")
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: stage.place.path) == ["filler"])
            } catch {
                try await disk.unmount()
                throw error
            }
            try await disk.unmount()
        }
    }

    @Test("that changes within the minute that a listing tells, keeping its length, is no mixture of both")
    func changedMeanwhile() async throws {
        try await withStage(FTPServerWay(.vsftpd, .plain)) { stage in
            let minute = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 60).rounded(.down) * 60 - 600)
            let place = stage.place
            let put: @Sendable (UInt8, TimeInterval) throws -> Void = { byte, second in
                try place.write(Data(repeating: byte, count: 40 << 20), to: "big")
                let date = [FileAttributeKey.modificationDate: minute.addingTimeInterval(second)]
                try FileManager.default.setAttributes(date, ofItemAtPath: place.path + "/big")
            }
            try put(1, 5)
            let changing = FaultInjectingFileProvider(stage.provider)
            changing.plan = FaultPlan([
                .init(
                    .contentStream,
                    on: .call(3),
                    fault: .meanwhile { #expect(throws: Never.self) { try put(2, 50) } }
                )
            ])
            let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-large-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let report = try await Transfer(
                from: TransferPlace(changing, "/"),
                to: TransferPlace(LocalFileProvider(baseURL: folder), "/")
            ).run()
            #expect(report.failures.isEmpty)
            let copy = try Data(contentsOf: folder.appending(path: "big"))
            #expect(copy == Data(repeating: 2, count: 40 << 20))
        }
    }
}
