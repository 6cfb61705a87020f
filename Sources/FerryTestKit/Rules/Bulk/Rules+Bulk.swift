import FerryCore
import Foundation

extension ConformanceCheck {
    private static let bulks: [ConformanceNeed] = .writing + [.bulks]

    /// Small files that are written together.
    static let bulk: [ConformanceCheck] = [
        Self("bulk.new", "files that are written together are there, each with its bytes", needs: bulks) { trial in
            try await trial.plant(["folder/old.txt": "old"])
            let written = try await trial.writeTogether(["a.txt": "a", "folder/b ü.txt": "bb", "empty": ""])
            for (name, size) in ["a.txt": 1, "folder/b ü.txt": 2, "empty": 0] {
                // A storage need not say anything.
                let item = try trial.require(written[name], "it says nothing of \(name)").get()
                if let told = item?.size { trial.expectEqual(told, Int64(size), "the size of \(name)") }
            }
            try await trial.expectTree(["folder/old.txt": "old", "a.txt": "a", "folder/b ü.txt": "bb", "empty": ""])
        },
        Self("bulk.existing", "of files that are written together, none replaces another unasked", needs: bulks) {
            trial in
            try await trial.plant(["b.txt": "old"])
            let results = try await trial.writeTogether(["a.txt": "a", "b.txt": "new", "c.txt": "c"])
            for (name, result) in results where name != "b.txt" { _ = try result.get() }
            await trial.expectRefusal(.fileWriteFileExists, naming: trial["b.txt"], of: "writing b.txt") {
                _ = try trial.require(results["b.txt"], "it says nothing of b.txt").get()
            }
            try await trial.expectTree(["a.txt": "a", "b.txt": "old", "c.txt": "c"])
        },
        Self("bulk.replacing", "files that are written together replace what they may", needs: bulks) { trial in
            try await trial.plant(["a.txt": "old and longer", "b.txt": "b"])
            for (_, result) in try await trial.writeTogether(["a.txt": "new", "c.txt": "c"], overwrite: true) {
                _ = try result.get()
            }
            try await trial.expectTree(["a.txt": "new", "b.txt": "b", "c.txt": "c"])
        },
        Self("bulk.failing", "a file that can't be written keeps no other from it", needs: bulks) { trial in
            try await trial.plant(["folder/x.txt": "x"])
            for overwrite in [false, true] {
                let results = try await trial.writeTogether(
                    ["a\(overwrite).txt": "a", "missing/b.txt": "b", "folder": "c", "d\(overwrite).txt": "d"],
                    overwrite: overwrite
                )
                await trial.expectRefusal(.fileNoSuchFile, of: "writing without a folder") {
                    _ = try trial.require(results["missing/b.txt"], "it says nothing of it").get()
                }
                await trial.expectRefusal(.fileWriteFileExists, of: "writing where a folder is") {
                    _ = try trial.require(results["folder"], "it says nothing of it").get()
                }
            }
            try await trial.expectTree([
                "folder/x.txt": "x", "afalse.txt": "a", "dfalse.txt": "d", "atrue.txt": "a", "dtrue.txt": "d",
            ])
        },
        Self("bulk.date", "files that are written together have the dates that were asked for", needs: bulks) { trial in
            guard trial.provider.capabilities.setsModifiedDate else { throw NotApplicable("dates that can be set") }
            let dates = [1_500_000_000, 1_600_000_000].map { Date(timeIntervalSince1970: $0) }
            let files = zip(["a.txt", "b.txt"], dates).map { name, date in
                BulkFile(path: trial[ItemPath(stringLiteral: name)], contents: Data(file: "x"), modifiedDate: date)
            }
            for result in try await trial.bulk.writeFiles(files, overwrite: false) { _ = try result.get() }
            for file in files {
                let item = try await trial.provider.attributesOfItem(path: file.path)
                trial.expectEqual(item.modifiedDate, file.modifiedDate, "the date of \(file.path)")
            }
        },
    ]
}

extension Trial {
    /// Writes files in one go.
    fileprivate func writeTogether(
        _ contents: KeyValuePairs<String, String>,
        overwrite: Bool = false
    ) async throws -> [String: Result<FileObject?, any Error>] {
        let files = contents.map { BulkFile(path: self[ItemPath(stringLiteral: $0)], contents: Data(file: $1)) }
        let results = try await bulk.writeFiles(files, overwrite: overwrite)
        expectEqual(results.count, files.count, "results")
        return Dictionary(zip(contents.map(\.key), results), uniquingKeysWith: { first, _ in first })
    }

    fileprivate var bulk: any FileProviderBulkWriting {
        get throws {
            let storage = try require(provider as? any FileProviderBulkWriting, "it takes no files together")
            guard storage.bulkLimits != nil else { throw NotApplicable("a storage that takes many files at once") }
            return storage
        }
    }
}
