import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("One item keeps a folder from being moved or removed")
struct DependencyFailureTests {
    @Test("the error names that item, and what is the matter with it", arguments: ["DELETE", "MOVE"])
    func lockedMember(method: String) async throws {
        try await withRealStage(.apache) { stage in
            try stage.place.makeFolder("folder")
            try stage.place.write(Data("x".utf8), to: "folder/file")
            let lock = try await stage.fixtures.lock(path: "/folder/file", options: FileLockOptions())
            let error = await #expect(throws: CocoaError.self) {
                if method == "MOVE" {
                    try await stage.provider.moveItem(path: "/folder", to: "/elsewhere")
                } else {
                    try await stage.provider.removeItem(path: "/folder")
                }
            }
            #expect(error?.code == .fileWriteNoPermission)
            #expect(error?.userInfo[NSFilePathErrorKey] as? String == "/folder/file")
            #expect(error?.words.hasPrefix("locked by") == true)
            #expect(stage.place.read("folder/file") == Data("x".utf8))
            try await stage.fixtures.unlock(lock)
        }
    }
}
