import FerryCache
import FerryCore
import FerryTestServers
import FerryWebDAV
import Foundation
import HTTPTypes
import Testing

@Suite("What is kept of a file is asked about and fetched with one request")
struct ConditionalReadingTests {
    @Test("304 where it is the same, and the new contents where it is not", arguments: RealServerKind.allCases)
    func conditional(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let files = CachedFileProvider(stage.provider, store: CacheStore(at: nil))
            try stage.place.write(Data("old content".utf8), to: "a.bin")
            try stage.age("a.bin")
            #expect(try await files.contents(path: "/a.bin") == Data("old content".utf8))

            stage.recording.forget()
            #expect(try await files.contents(path: "/a.bin") == Data("old content".utf8))
            #expect(stage.recording.methods == ["GET"])
            let same = try #require(stage.recording.exchanges.first)
            #expect(same["If-None-Match"] != nil)
            #expect(same.response?.status == .notModified)

            stage.recording.forget()
            #expect(try await files.contents(path: "/a.bin", offset: 4, length: 3) == Data("con".utf8))
            #expect(stage.recording.methods == ["GET"])
            #expect(stage.recording.exchanges.first?.response?.status == .notModified)

            // By the server: lighttpd looks at its disk once in a second.
            try await stage.fixtures.writeContents(
                path: "/a.bin",
                contents: Data("newer content".utf8),
                overwrite: true
            )
            stage.recording.forget()
            #expect(try await files.contents(path: "/a.bin") == Data("newer content".utf8))
            #expect(stage.recording.methods == ["GET"])
            #expect(stage.recording.exchanges.first?.response?.status == .ok)
        }
    }
}

extension RealStage {
    /// Dates a file back, so that its eTag tells it from what is written now.
    fileprivate func age(_ name: String) throws {
        let date = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(place.path)/\(name)")
    }
}
