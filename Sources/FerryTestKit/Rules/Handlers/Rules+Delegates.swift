import FerryCore
import Foundation

extension ConformanceCheck {
    /// Delegates are told of every operation, and asked about every item.
    static let delegates: [ConformanceCheck] = told + asked

    // MARK: Told

    private static let told: [ConformanceCheck] = [
        Self(
            "delegates.success",
            "the delegate is told once that an operation ended well, before the handler",
            needs: .writing
        ) { trial in
            try await trial.plant(["a.txt": "a"])
            let operation = FileOperationType.copy(source: .item(trial["a.txt"]), destination: .item(trial["b.txt"]))
            let delegate = try await trial.told { finish in
                try trial.files.copyItem(path: trial["a.txt"], to: trial["b.txt"]) { finish(Ending($0)) }
            }
            let ends = delegate.events.compactMap { event -> FileOperationType? in
                switch event {
                case .succeeded(let operation), .failed(let operation, _): operation
                case .asked, .askedAfterError, .proceeded, .handled: nil
                }
            }
            trial.expectEqual(ends, [operation], "operations that ended")
            if case .handled? = delegate.events.last {} else { trial.fail("the handler is not called last") }
            if case .succeeded? = delegate.events.dropLast().last {
            } else {
                trial.fail("success is not told at the end")
            }
            trial.expectRising(delegate, operation)
        },
        Self("delegates.failure", "the delegate is told once that an operation failed, and why", needs: .writing) {
            trial in
            let delegate = try await trial.told { finish in
                try trial.files.removeItem(path: trial["gone"]) { finish(Ending($0)) }
            }
            let failures = delegate.events.compactMap { event -> CocoaError.Code? in
                guard case .failed(.remove(path: trial["gone"]), let error) = event else { return nil }
                return (error as? CocoaError)?.code
            }
            trial.expectEqual(failures, [.fileNoSuchFile], "failures")
            for event in delegate.events {
                if case .succeeded = event { trial.fail("success is told, too") }
            }
        },
        Self(
            "delegates.cancelled",
            "the delegate of a cancelled operation is told userCancelled, once",
            needs: .writing
        ) {
            trial in
            let queue = trial.provider.environment.operationQueue
            let delegate = try await trial.told { finish in
                queue.isSuspended = true
                defer { queue.isSuspended = false }
                let progress = try trial.files.writeContents(path: trial["a"], contents: Data()) { finish(Ending($0)) }
                progress.cancel()
                return progress
            }
            let failures = delegate.events.compactMap { event -> CocoaError.Code? in
                guard case .failed(_, let error) = event else { return nil }
                return (error as? CocoaError)?.code
            }
            trial.expectEqual(failures, [.userCancelled], "failures")
            try await trial.expectTree([:])
            let again = try await trial.told { finish in
                try trial.files.writeContents(path: trial["a"], contents: Data()) { finish(Ending($0)) }
            }
            let successes = again.events.count { if case .succeeded = $0 { true } else { false } }
            trial.expectEqual(successes, 1, "successes afterwards")
            try await trial.expectTree(["a": ""])
        },
        Self("delegates.questions", "the delegate is not told of questions") { trial in
            try await trial.plant(["a.txt": "a"])
            let delegate = try await trial.told { finish in
                trial.provider.contentsOfDirectory(path: trial.root) { items, error in
                    trial.expectEqual(items.map(\.name), ["a.txt"], "names")
                    finish(Ending(items, error))
                }
            }
            trial.expectEqual(delegate.events.count, 1, "events, of which the handler is one")
        },
        Self("delegates.wrapped", "the delegate of a provider hears of what a wrapper around it does", needs: .writing)
        {
            trial in
            let wrapper = trial.provider.withFaults() as? any FileProvider
            let files = try trial.require(wrapper, "the wrapper is no FileProvider")
            let delegate = try await trial.told { finish in
                files.writeContents(path: trial["a"], contents: Data(file: "a")) { finish(Ending($0)) }
            }
            let successes = delegate.events.count { if case .succeeded = $0 { true } else { false } }
            trial.expectEqual(successes, 1, "successes")
            try await trial.expectTree(["a": "a"])
        },
    ]

    // MARK: Asked

    private static let asked: [ConformanceCheck] = [
        Self(
            "delegates.asks-remove",
            "the delegate is asked once for every item of a removal, folders first",
            needs: .writing
        ) { trial in
            try await trial.plantTree()
            let delegate = try await trial.judged { finish in
                try trial.files.removeItem(path: trial["from"]) { finish(Ending($0)) }
            }
            let expected = Trial.treePaths.map { FileOperationType.remove(path: trial[$0]) }
            trial.expectAsked(delegate, expected)
            try await trial.expectTree(["stays": "s"])
        },
        Self(
            "delegates.asks-copy",
            "the delegate is asked once for every item of a copy, folders first",
            needs: .writing
        ) {
            trial in
            try await trial.plantTree()
            let before = try await trial.snapshot()
            let delegate = try await trial.judged { finish in
                try trial.files.copyItem(path: trial["from"], to: trial["to"]) { finish(Ending($0)) }
            }
            let expected = Trial.treePaths.map { path in
                FileOperationType.copy(
                    source: .item(trial[path]),
                    destination: .item(trial[path.replacing("/from", with: "/to")])
                )
            }
            trial.expectAsked(delegate, expected)
            var after = before
            for (path, entry) in before.entries { after.entries[path.replacing("/from", with: "/to")] = entry }
            for difference in try await trial.snapshot().differences(from: after) { trial.fail(difference) }
        },
        Self(
            "delegates.asks-move",
            "the delegate is asked once for every item of a move, folders first",
            needs: .writing
        ) {
            trial in
            try await trial.plantTree()
            let before = try await trial.snapshot()
            let delegate = try await trial.judged { finish in
                try trial.files.moveItem(path: trial["from"], to: trial["to"]) { finish(Ending($0)) }
            }
            let expected = Trial.treePaths.map { path in
                FileOperationType.move(source: trial[path], destination: trial[path.replacing("/from", with: "/to")])
            }
            trial.expectAsked(delegate, expected)
            var after = before
            after.entries = [:]
            for (path, entry) in before.entries { after.entries[path.replacing("/from", with: "/to")] = entry }
            for difference in try await trial.snapshot().differences(from: after) { trial.fail(difference) }
        },
        Self(
            "delegates.asks-single",
            "the delegate is asked once for a write, a new folder and an upload",
            needs: .writing
        ) { trial in
            let written = try await trial.judged { finish in
                try trial.files.writeContents(path: trial["a"], contents: Data()) { finish(Ending($0)) }
            }
            trial.expectEqual(written.asked.map(\.source), [.item(trial["a"])], "questions about the write")
            let created = try await trial.judged { finish in
                try trial.files.create(folder: "new", at: trial.root) { finish(Ending($0)) }
            }
            trial.expectEqual(created.asked, [.create(path: trial["new"])], "questions about the folder")
            try await withLocalFolder { folder in
                let url = try folder.write("up", Data())
                let uploaded = try await trial.judged { finish in
                    try trial.files.copyItem(localFile: url, to: trial["b"]) { finish(Ending($0)) }
                }
                let operation = FileOperationType.copy(source: .localFile(url), destination: .item(trial["b"]))
                trial.expectEqual(uploaded.asked, [operation], "questions about the upload")
            }
            try await trial.expectTree(["a": "", "b": "", "new/": ""])
        },
        Self("delegates.refuses-single", "what the delegate refuses is not done", needs: .writing) { trial in
            try await trial.plant(["a.txt": "a"])
            try await trial.judged(allows: { _ in false }) { finish in
                try trial.files.writeContents(path: trial["new"], contents: Data()) { finish(Ending($0)) }
            }
            try await trial.judged(allows: { _ in false }) { finish in
                try trial.files.removeItem(path: trial["a.txt"]) { finish(Ending($0)) }
            }
            try await trial.judged(allows: { _ in false }) { finish in
                try trial.files.moveItem(path: trial["a.txt"], to: trial["b.txt"]) { finish(Ending($0)) }
            }
            try await trial.expectTree(["a.txt": "a"])
            try await trial.judged { finish in
                try trial.files.moveItem(path: trial["a.txt"], to: trial["b.txt"]) { finish(Ending($0)) }
            }
            try await trial.expectTree(["b.txt": "a"])
        },
        Self(
            "delegates.refuses-in-copy",
            "an item that the delegate refuses is left out of a copy, with all below it",
            needs: .writing
        ) { trial in
            try await trial.plantTree()
            let inner = trial["from/inner"]
            let delegate = try await trial.judged(allows: { $0.source != .item(inner) }) { finish in
                try trial.files.copyItem(path: trial["from"], to: trial["to"]) { finish(Ending($0)) }
            }
            let below = delegate.asked.filter { $0.source.path?.isBelow(inner) ?? false }
            trial.expectEqual(below, [], "questions about what is below it")
            let arrived = try await trial.snapshot().entries.keys.filter { $0.isBelow("/to") }.sorted()
            trial.expectEqual(arrived, ["/to/a.txt", "/to/z.txt"], "copied items")
            trial.expectEqual(try await trial.snapshot().entries["/from/inner/b.txt"], .file(Data(file: "b")), "b.txt")
        },
        Self(
            "delegates.refuses-in-removal",
            "an item that the delegate refuses stays, with the folders above it",
            needs: .writing
        ) { trial in
            try await trial.plantTree()
            let kept = trial["from/inner/b.txt"]
            try await trial.judged(allows: { $0.source != .item(kept) }) { finish in
                try trial.files.removeItem(path: trial["from"]) { finish(Ending($0)) }
            }
            try await trial.expectTree(["from/inner/b.txt": "b", "stays": "s"])
        },
        Self("delegates.refuses-in-move", "an item that the delegate refuses stays where it was", needs: .writing) {
            trial in
            try await trial.plantTree()
            let kept = trial["from/inner/b.txt"]
            try await trial.judged(allows: { $0.source != .item(kept) }) { finish in
                try trial.files.moveItem(path: trial["from"], to: trial["to"]) { finish(Ending($0)) }
            }
            let entries = try await trial.snapshot().entries
            trial.expectEqual(entries["/from/inner/b.txt"], .file(Data(file: "b")), "the item that stays")
            trial.expectEqual(entries["/to/inner/deep/c.txt"], .file(Data(file: "c")), "an item that moves")
            trial.expectEqual(entries["/from/a.txt"], nil, "where an item was that moves")
        },
        Self("delegates.goes-on", "after an error the delegate may have the other items done", needs: .writing) {
            trial in
            try await trial.plant(["from/a": "a", "from/clash": "c", "from/z": "z", "to/clash/kept": "k"])
            let delegate = try await trial.judged { finish in
                try trial.files.copyItem(path: trial["from"], to: trial["to"], overwrite: true) { finish(Ending($0)) }
            }
            let errors = delegate.events.count { if case .askedAfterError = $0 { true } else { false } }
            trial.expectEqual(errors, 1, "questions after errors")
            try await trial.expectTree([
                "from/a": "a", "from/clash": "c", "from/z": "z", "to/a": "a", "to/clash/kept": "k", "to/z": "z",
            ])
        },
        Self(
            "delegates.gives-up",
            "after an error the delegate may end the operation, which then fails",
            needs: .writing
        ) {
            trial in
            try await trial.plant(["from/clash": "c", "to/clash/kept": "k"])
            let queue = MarkedQueue(trial.provider.environment.callbackQueue)
            let delegate = RecordingDelegate(on: queue, goesOn: false)
            trial.provider.environment.fileOperationDelegate = delegate
            let (ending, _) = try await trial.handled("copying") { finish in
                try trial.files.copyItem(path: trial["from"], to: trial["to"], overwrite: true) { finish(Ending($0)) }
            }
            trial.provider.environment.fileOperationDelegate = nil
            trial.expect(ending, failedWith: .fileWriteFileExists)
            withExtendedLifetime(delegate) {}
            try await trial.expectTree(["from/clash": "c", "to/clash/kept": "k"])
        },
    ]
}

extension Trial {
    /// The items of the planted tree, each folder before what is in it.
    fileprivate static let treePaths: [ItemPath] = [
        "/from", "/from/a.txt", "/from/inner", "/from/inner/b.txt", "/from/inner/deep", "/from/inner/deep/c.txt",
        "/from/z.txt",
    ]

    fileprivate func plantTree() async throws {
        try await plant([
            "from/a.txt": "a", "from/inner/b.txt": "b", "from/inner/deep/c.txt": "c", "from/z.txt": "z", "stays": "s",
        ])
    }

    /// Does something with a delegate, whose events end with the handler's.
    fileprivate func told(
        _ start: (@escaping @Sendable (Ending) -> Void) throws -> Progress
    ) async throws -> RecordingDelegate {
        let delegate = RecordingDelegate(on: MarkedQueue(provider.environment.callbackQueue))
        provider.environment.delegate = delegate
        defer { provider.environment.delegate = nil }
        try await handled("the operation") { finish in
            try start { ending in
                delegate.noteHandler()
                finish(ending)
            }
        }
        expectEqual(delegate.strays, 0, "calls of the delegate on another queue")
        return delegate
    }

    /// Does something with a delegate that is asked about each item.
    @discardableResult
    fileprivate func judged(
        allows: @escaping @Sendable (FileOperationType) -> Bool = { _ in true },
        _ start: (@escaping @Sendable (Ending) -> Void) throws -> Progress
    ) async throws -> RecordingDelegate {
        let delegate = RecordingDelegate(on: MarkedQueue(provider.environment.callbackQueue), allows: allows)
        provider.environment.fileOperationDelegate = delegate
        defer { provider.environment.fileOperationDelegate = nil }
        try await handled("the operation", start)
        expectEqual(delegate.strays, 0, "questions on another queue")
        return delegate
    }

    /// Notes a failure unless the delegate was asked exactly this, each folder before what is in it.
    fileprivate func expectAsked(
        _ delegate: RecordingDelegate,
        _ expected: [FileOperationType],
        filePath: String = #filePath,
        line: Int = #line
    ) {
        let asked = delegate.asked
        expectEqual(asked.count, expected.count, "questions", filePath: filePath, line: line)
        expectEqual(Set(asked), Set(expected), "what is asked", filePath: filePath, line: line)
        let paths = asked.compactMap(\.source.path)
        for (index, path) in paths.enumerated() {
            let late = paths[index...].first { path.isBelow($0) }
            expect(late == nil, "'\(path)' before its folder", filePath: filePath, line: line)
        }
    }

    /// Notes a failure unless the fractions that were told rise from 0 to 1.
    fileprivate func expectRising(_ delegate: RecordingDelegate, _ operation: FileOperationType) {
        let fractions = delegate.events.compactMap { event -> Double? in
            guard case .proceeded(operation, let fraction) = event else { return nil }
            return fraction
        }
        expect(fractions.allSatisfy { (0...1).contains($0) }, "the fractions are \(fractions)")
        expect(zip(fractions, fractions.dropFirst()).allSatisfy { $0 <= $1 }, "the fractions are \(fractions)")
    }
}
