import FerryCore
import Foundation

extension ConformanceCheck {
    private static let versioned: [ConformanceNeed] = .writing + [.versions]

    /// Earlier contents of a file can be seen, and brought back.
    static let versions: [ConformanceCheck] = [
        Self("versions.new-file", "a new file has no earlier contents", needs: versioned) { trial in
            try await trial.plant(["a.txt": "one"])
            trial.expectEqual(try await trial.versioning.versions(of: trial["a.txt"]), [], "versions")
        },
        Self("versions.list", "earlier contents are listed latest first, without the present one", needs: versioned) {
            trial in
            try await trial.plantVersions("a.txt", ["one", "second", "the third"])
            let versions = try await trial.versioning.versions(of: trial["a.txt"])
            trial.expectEqual(versions.map { $0.size ?? -1 }.filter { $0 >= 0 }, [6, 3], "sizes")
            trial.expectEqual(Set(versions.map(\.id)).count, 2, "identifiers")
            let dates = versions.compactMap(\.modifiedDate)
            trial.expect(zip(dates, dates.dropFirst()).allSatisfy { $0 >= $1 }, "the latest is not first")
        },
        Self("versions.read", "an earlier content can be read", needs: versioned) { trial in
            try await trial.plantVersions("a.txt", ["one", "two", "three"])
            var contents: [Data] = []
            for version in try await trial.versioning.versions(of: trial["a.txt"]) {
                contents.append(
                    try await trial.versioning.contentStream(of: version, path: trial["a.txt"]).collect()
                )
            }
            trial.expectEqual(contents, [Data(file: "two"), Data(file: "one")], "contents")
            try await trial.expectTree(["a.txt": "three"])
        },
        Self("versions.restore", "an earlier content becomes the present one, which becomes earlier", needs: versioned)
        {
            trial in
            let versioning = try trial.versioning
            try await trial.plantVersions("a.txt", ["one", "two", "three"])
            let oldest = try await versioning.versions(of: trial["a.txt"]).last
            try await versioning.restore(try trial.require(oldest, "no version"), of: trial["a.txt"])
            try await trial.expectTree(["a.txt": "one"])
            let latest = try await versioning.versions(of: trial["a.txt"]).first
            let version = try trial.require(latest, "no version")
            let contents = try await versioning.contentStream(of: version, path: trial["a.txt"]).collect()
            trial.expectEqual(contents, Data(file: "three"), "the latest earlier content")
        },
        Self("versions.missing", "versions of a missing file throw fileNoSuchFile", needs: versioned) { trial in
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "versions") {
                try await trial.versioning.versions(of: trial["gone"])
            }
        },
        Self(
            "versions.unknown",
            "a version that is not kept throws fileNoSuchFile, and changes nothing",
            needs: versioned
        ) {
            trial in
            try await trial.plantVersions("a.txt", ["one", "two"])
            let unknown = FileVersion(id: "ferry-unknown")
            await trial.expectRefusal(.fileNoSuchFile, of: "reading") {
                try await trial.versioning.contentStream(of: unknown, path: trial["a.txt"]).collect()
            }
            await trial.expectRefusal(.fileNoSuchFile, of: "restoring") {
                try await trial.versioning.restore(unknown, of: trial["a.txt"])
            }
            try await trial.expectTree(["a.txt": "two"])
        },
        Self("versions.failed-write", "a write that fails makes no version", needs: versioned + [.streams]) { trial in
            try await trial.plant(["a.txt": "one"])
            _ = try? await trial.streams.writeStream(
                path: trial["a.txt"],
                contents: ScriptedChunks(Data(file: "two"), chunkSize: 1) { index in
                    if index == 2 { throw SourceBroke() }
                },
                options: WriteOptions(overwrite: true)
            )
            trial.expectEqual(try await trial.versioning.versions(of: trial["a.txt"]), [], "versions")
        },
        Self("versions.rename", "a renamed file keeps its earlier contents", needs: versioned) { trial in
            try await trial.plantVersions("a.txt", ["one", "two"])
            try await trial.files.moveItem(path: trial["a.txt"], to: trial["b.txt"])
            let versions = try await trial.versioning.versions(of: trial["b.txt"])
            let version = try trial.require(versions.first, "the earlier contents are lost")
            let contents = try await trial.versioning.contentStream(of: version, path: trial["b.txt"]).collect()
            trial.expectEqual(contents, Data(file: "one"), "the earlier content")
        },
    ]
}

extension Trial {
    fileprivate func plantVersions(_ path: ItemPath, _ texts: [String]) async throws {
        for text in texts {
            try await files.writeContents(path: self[path], contents: Data(file: text), overwrite: true)
        }
    }
}
