import FerryCore
import FerryTestServers
import Foundation
import Testing

@testable import FerrySFTP

@Suite("Removing a link to a folder leaves the folder")
struct LinkRemovalTests {
    @Test(
        "on each server, also one that describes the link as the folder",
        arguments: [
            SSHServer.Options(), SSHServer.Options(.proftpd),
        ]
    )
    func removal(_ options: SSHServer.Options) async throws {
        try await withSFTPStage(options) { stage in
            let folder = stage.place.path + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            try stage.place.write(Data("a".utf8), to: "folder/a")
            try FileManager.default.createSymbolicLink(
                atPath: stage.place.path + "/link",
                withDestinationPath: "folder"
            )
            try await stage.provider.removeItem(path: "/link")
            #expect(try stage.place.names() == ["folder", "folder/a"])
            try await stage.provider.removeItem(path: "/folder")
            #expect(try stage.place.names() == [])
        }
    }
}
