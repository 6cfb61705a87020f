import FerryCore
import Foundation

extension ConformanceCheck {
    private static let changing: [ConformanceNeed] = .writing + [.batches]

    /// Items that are removed together, or whose attributes are set together.
    static let batches: [ConformanceCheck] = [
        Self("batches.removing", "items that are removed together are gone, and no others", needs: changing) { trial in
            try await trial.plant([
                "a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c", "folder2/d.txt": "d", "stays.txt": "e",
            ])
            try await trial.expectOutcomes([nil, nil], of: trial.remove("a.txt", "folder"))
            try await trial.expectTree(["folder2/d.txt": "d", "stays.txt": "e"])
        },
        Self(
            "batches.removing-missing",
            "an item that can't be removed keeps no other from it, and has the error of a single removal",
            needs: changing
        ) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b", "file": "x"])
            let results = try await trial.remove("a.txt", "gone", "file/below", "b.txt")
            trial.expectOutcomes([nil, .fileNoSuchFile, .fileNoSuchFile, nil], of: results)
            guard results.count == 4 else { return }
            await trial.expectRefusal(.fileNoSuchFile, naming: trial["gone"], of: "removing what is missing") {
                try results[1].get()
            }
            try await trial.expectTree(["file": "x"])
        },
        Self("batches.removing-root", "the root can't be removed with other items", needs: changing) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let results = try await trial.batch.removeItems([trial["a.txt"], .root])
            trial.expectOutcomes([nil, .fileWriteNoPermission], of: results)
            try await trial.expectTree(["b.txt": "b"])
        },
        Self(
            "batches.removing-related",
            "a folder and what is below it, and one path twice, are removed in the order of the list",
            needs: changing
        ) { trial in
            try await trial.plant(["one/a.txt": "a", "two/b.txt": "b", "c.txt": "c"])
            let results = try await trial.remove("one", "one/a.txt", "two/b.txt", "two", "c.txt", "c.txt")
            trial.expectOutcomes([nil, .fileNoSuchFile, nil, nil, nil, .fileNoSuchFile], of: results)
            try await trial.expectTree([:])
        },
        Self(
            "batches.removing-many",
            "of many items that are removed together, each has its own result",
            needs: changing
        ) { trial in
            let paths = (0..<45).map { trial.root.appending("\($0).txt") }
            for (number, path) in paths.enumerated() where number % 7 != 3 {
                try await trial.fixtures.writeContents(path: path, contents: Data())
            }
            let outcomes = paths.indices.map { $0 % 7 == 3 ? CocoaError.Code.fileNoSuchFile : nil }
            trial.expectOutcomes(outcomes, of: try await trial.batch.removeItems(paths))
            try await trial.expectTree([:])
        },
        Self(
            "batches.dates",
            "attributes that are set together are those of their items; one that is missing is reported",
            needs: changing + [.attributes]
        ) { trial in
            let storage = try trial.require(
                trial.provider as? any FileProviderItemAttributes,
                "it is no FileProviderItemAttributes"
            )
            guard storage.settableAttributes.contains(.fileDates) else { throw NotApplicable("dates that can be set") }
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let dates = [1_500_000_000, 1_400_000_000, 1_600_000_000].map { Date(timeIntervalSince1970: $0) }
            let paths = [trial["a.txt"], trial["gone"], trial["b.txt"]]
            let changes = zip(paths, dates).map {
                ItemAttributesChange(path: $0, attributes: ItemAttributes(modifiedDate: $1))
            }
            trial.expectOutcomes([nil, .fileNoSuchFile, nil], of: try await trial.batch.setAttributes(changes))
            for index in [0, 2] {
                let item = try await trial.provider.attributesOfItem(path: paths[index])
                trial.expectEqual(item.modifiedDate, dates[index], "the date of \(paths[index].lastName)")
            }
        },
        Self(
            "batches.cancelled",
            "operations on several items in a cancelled task throw CancellationError and change nothing",
            needs: changing
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let batch = try trial.batch
            await trial.expectCancellation(of: "removing several items") {
                try await inCancelledTask { _ = try await batch.removeItems([trial["a.txt"], trial["folder"]]) }
            }
            await trial.expectCancellation(of: "moving several items") {
                let move = ItemMove(path: trial["a.txt"], to: trial["new"])
                try await inCancelledTask { _ = try await batch.moveItems([move], overwrite: false) }
            }
            try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
        },
        Self(
            "batches.read-only",
            "several items of a read-only storage are neither removed nor moved",
            needs: [.batches, .readOnly]
        ) { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let batch = try trial.batch
            // For all of them at once, or for each.
            await trial.expectRefusal(.fileWriteVolumeReadOnly, of: "removing several items") {
                for result in try await batch.removeItems([trial["a.txt"], trial["b.txt"]]) { try result.get() }
            }
            await trial.expectRefusal(.fileWriteVolumeReadOnly, of: "moving several items") {
                let move = ItemMove(path: trial["a.txt"], to: trial["c.txt"])
                for result in try await batch.moveItems([move], overwrite: false) { try result.get() }
            }
            try await trial.expectTree(["a.txt": "a", "b.txt": "b"])
        },
    ]
}

extension Trial {
    /// The provider, which does many things at once.
    var batch: any FileProviderBatchOperations {
        get throws { try require(provider as? any FileProviderBatchOperations, "it is no FileProviderBatchOperations") }
    }

    /// Removes items below the rule's own folder together.
    fileprivate func remove(_ paths: ItemPath...) async throws -> [Result<Void, any Error>] {
        try await batch.removeItems(paths.map { self[$0] })
    }

    /// Notes a failure for each item that ended otherwise than it should.
    ///
    /// - Parameters:
    ///   - outcomes: The codes of the errors; `nil` for success.
    ///   - results: The results of the items.
    ///   - filePath: The path of the caller's file.
    ///   - line: The caller's line.
    func expectOutcomes(
        _ outcomes: [CocoaError.Code?],
        of results: [Result<Void, any Error>],
        filePath: String = #filePath,
        line: Int = #line
    ) {
        let (count, wanted) = (results.count, outcomes.count)
        expectEqual(count, wanted, "the number of results", filePath: filePath, line: line)
        for (index, (result, outcome)) in zip(results, outcomes).enumerated() {
            let isWanted =
                switch result {
                case .success: outcome == nil
                case .failure(let error): outcome != nil && (error as? CocoaError)?.code == outcome
                }
            let words = outcome.map { "error \($0.rawValue)" } ?? "success"
            expect(
                isWanted,
                "item \(index) of the batch ended with \(result) instead of \(words)",
                filePath: filePath,
                line: line
            )
        }
    }
}
