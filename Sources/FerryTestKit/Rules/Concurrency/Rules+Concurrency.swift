import FerryCore
import Foundation

extension ConformanceCheck {
    private static let exclusive: [ConformanceNeed] =
        .writing + [.can(\.createsExclusively, "exclusive creation")]

    /// Many at once end as if they had come one after the other.
    static let concurrency: [ConformanceCheck] = [
        Self(
            "concurrency.one-whole-content",
            "concurrent writers that may overwrite leave one whole content",
            needs: .writing + [.can(\.writesAtomically, "atomic writes")]
        ) { trial in
            let files = try trial.files
            let contents = (1...8).map { Trial.bytes(100_000 + $0, seed: UInt64($0)) }
            let errors = await trial.together(8) { number in
                try await files.writeContents(path: trial["a"], contents: contents[number], overwrite: true)
            }
            trial.expect(errors.isEmpty, "writers failed: \(errors)")
            let left = try await files.contents(path: trial["a"])
            trial.expect(contents.contains(left), "the content of \(left.count) bytes is nobody's")
            trial.expectEqual(try await files.contentsOfDirectory(path: trial.root).count, 1, "items")
        },
        Self(
            "concurrency.streams",
            "concurrent streams to one name leave one whole content",
            needs: .streaming + [.can(\.writesAtomically, "atomic writes")]
        ) { trial in
            let streams = try trial.streams
            let contents = (1...4).map { Trial.bytes(50_000 + $0, seed: UInt64($0)) }
            let errors = await trial.together(4) { number in
                let chunks = ScriptedChunks(contents[number], chunkSize: 1_000) { _ in await Task.yield() }
                let options = WriteOptions(overwrite: true)
                try await streams.writeStream(path: trial["a"], contents: chunks, options: options)
            }
            trial.expect(errors.isEmpty, "writers failed: \(errors)")
            let left = try await trial.files.contents(path: trial["a"])
            trial.expect(contents.contains(left), "the content of \(left.count) bytes is nobody's")
        },
        Self(
            "concurrency.one-winner",
            "of concurrent writers that may not overwrite exactly one wins",
            needs: exclusive
        ) {
            trial in
            let files = try trial.files
            let contents = (1...8).map { Trial.bytes(50_000, seed: UInt64($0)) }
            let errors = await trial.together(8) { number in
                try await files.writeContents(path: trial["a"], contents: contents[number])
            }
            trial.expectOneWinner(of: 8, errors)
            let left = try await files.contents(path: trial["a"])
            trial.expect(contents.contains(left), "the content of \(left.count) bytes is nobody's")
        },
        Self(
            "concurrency.one-stream-wins",
            "of concurrent streams that may not overwrite exactly one wins",
            needs: exclusive + [.streams]
        ) { trial in
            let streams = try trial.streams
            let errors = await trial.together(6) { number in
                let data = Trial.bytes(20_000, seed: UInt64(number + 1))
                let chunks = ScriptedChunks(data, chunkSize: 1_000) { _ in await Task.yield() }
                try await streams.writeStream(path: trial["a"], contents: chunks)
            }
            trial.expectOneWinner(of: 6, errors)
            let left = try await trial.files.contents(path: trial["a"])
            trial.expect((1...6).contains { Trial.bytes(20_000, seed: $0) == left }, "the content is nobody's")
        },
        Self("concurrency.one-folder", "of concurrent makers of one folder exactly one wins", needs: exclusive) {
            trial in
            let files = try trial.files
            let errors = await trial.together(8) { _ in try await files.create(folder: "new", at: trial.root) }
            trial.expectOneWinner(of: 8, errors)
        },
        Self("concurrency.parents", "concurrent makers of missing parents all get theirs", needs: .writing) { trial in
            let files = try trial.files
            let errors = await trial.together(6) { number in
                try await files.create(folder: "\(number)", at: trial["one/two"], creatingParents: true)
            }
            trial.expect(errors.isEmpty, "makers failed: \(errors)")
            let names = try await files.contentsOfDirectory(path: trial["one/two"]).map(\.name).sorted()
            trial.expectEqual(names, (0..<6).map { "\($0)" }, "folders")
        },
        Self(
            "concurrency.moves",
            "of concurrent moves to one name exactly one wins, and nothing is lost",
            needs: exclusive
        ) {
            trial in
            let files = try trial.files
            for number in 0..<6 { try await trial.plant("\(number)", Data(file: "\(number)")) }
            let errors = await trial.together(6) { number in
                try await files.moveItem(path: trial.root.appending("\(number)"), to: trial["target"])
            }
            trial.expectOneWinner(of: 6, errors)
            let contents = try await trial.snapshot().entries.values
            for number in 0..<6 {
                trial.expect(contents.contains(.file(Data(file: "\(number)"))), "content \(number) is lost")
            }
            trial.expectEqual(contents.count, 6, "items")
        },
        Self("concurrency.copies", "of concurrent copies to one name exactly one wins", needs: exclusive) { trial in
            let files = try trial.files
            for number in 0..<6 { try await trial.plant("\(number)", Data(file: "\(number)")) }
            let errors = await trial.together(6) { number in
                try await files.copyItem(path: trial.root.appending("\(number)"), to: trial["target"])
            }
            trial.expectOneWinner(of: 6, errors)
            trial.expectEqual(try await trial.snapshot().entries.count, 7, "items")
        },
        Self("concurrency.many-names", "writers to many names don't disturb each other", needs: .writing) { trial in
            let files = try trial.files
            let errors = await trial.together(24) { number in
                let path = trial.root.appending("\(number)")
                try await files.writeContents(path: path, contents: Trial.bytes(3_000, seed: UInt64(number)))
            }
            trial.expect(errors.isEmpty, "writers failed: \(errors)")
            for number in 0..<24 {
                let path = trial.root.appending("\(number)")
                try await trial.expectContents(of: path, Trial.bytes(3_000, seed: UInt64(number)))
            }
        },
        Self("concurrency.readers", "many readers of one file all get all of it", needs: [.reading]) { trial in
            let reading = try trial.reading
            let data = Trial.bytes(DataChunks.chunkSize + 1)
            let path = try await trial.plant("a.bin", data)
            let errors = await trial.together(12) { _ in
                let contents = try await reading.contents(path: path)
                if let difference = contents.difference(from: data) { trial.fail(difference) }
            }
            trial.expect(errors.isEmpty, "readers failed: \(errors)")
        },
        Self("concurrency.listing-while-writing", "a listing shows what was there all the time", needs: .writing) {
            trial in
            let files = try trial.files
            try await trial.plantMany(40)
            let errors = await trial.together(10) { number in
                if number.isMultiple(of: 2) {
                    let path = trial.root.appending("new \(number)")
                    try await files.writeContents(path: path, contents: Data())
                    try await files.removeItem(path: path)
                } else {
                    let names = Set(try await files.contentsOfDirectory(path: trial.root).map(\.name))
                    let missing = (0..<40).filter { !names.contains("item \($0)") }
                    trial.expect(missing.isEmpty, "\(missing.count) items are not listed")
                }
            }
            trial.expect(errors.isEmpty, "somebody failed: \(errors)")
        },
        Self("concurrency.removers", "of concurrent removers one wins, and the others are told", needs: exclusive) {
            trial in
            let files = try trial.files
            try await trial.plant(["a.txt": "a"])
            let errors = await trial.together(6) { _ in try await files.removeItem(path: trial["a.txt"]) }
            let others = errors.compactMap { ($0 as? CocoaError)?.code }.filter { $0 == .fileNoSuchFile }
            trial.expect(errors.count == 5 && others.count == 5, "6 removers, and the errors \(errors)")
            try await trial.expectTree([:])
        },
    ]
}

extension Trial {
    /// Does something several times at once, and collects what goes wrong.
    fileprivate func together(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Void
    ) async -> [any Error] {
        await withTaskGroup(of: (any Error)?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        try await body(number)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { errors, error in
                if let error { errors.append(error) }
            }
        }
    }

    /// Notes a failure unless all but one were refused since somebody else was first.
    fileprivate func expectOneWinner(
        of count: Int,
        _ errors: [any Error],
        filePath: String = #filePath,
        line: Int = #line
    ) {
        let refused = errors.filter { ($0 as? CocoaError)?.code == .fileWriteFileExists }
        expect(
            refused.count == count - 1 && errors.count == count - 1,
            "\(count - errors.count) of \(count) won, and the others met \(errors)",
            filePath: filePath,
            line: line
        )
    }
}
