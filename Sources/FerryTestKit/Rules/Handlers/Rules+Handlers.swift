import Dispatch
import FerryCore
import Foundation
import NIOCore
import Synchronization

extension ConformanceCheck {
    /// Completion handlers: once, on their queue, with a progress that tells the truth.
    static let handlers: [ConformanceCheck] =
        HandlerForm.all.map(succeeds) + HandlerForm.all.filter { $0.bad != nil }.map(fails) + transfers + queues
        + streamed

    private static func succeeds(_ form: HandlerForm) -> ConformanceCheck {
        Self(
            ID(rawValue: "handlers.\(form.slug)"),
            "the handler of \(form.words) is called once, on its queue, with a value and a progress that is finished",
            needs: form.needs
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let (ending, progress) = try await trial.handled(form.words) { finish in
                try form.start(trial, trial[form.good], finish)
            }
            trial.expect(ending.error == nil, "there is an error: \(ending.error.map { "\($0)" } ?? "")")
            trial.expect(ending.hasValue, "there is no value")
            trial.expect(progress.isFinished, "the progress ends at \(progress.completedUnitCount)")
            trial.expect(!progress.isCancelled, "the progress is cancelled")
        }
    }

    private static func fails(_ form: HandlerForm) -> ConformanceCheck {
        Self(
            ID(rawValue: "handlers.\(form.slug)-fails"),
            "the handler of \(form.words) that fails is called once, on its queue, with the error and no value",
            needs: form.needs
        ) { trial in
            guard let bad = form.bad else { return }
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let (ending, progress) = try await trial.handled(form.words) { finish in
                try form.start(trial, trial[bad], finish)
            }
            trial.expect(ending, failedWith: .fileNoSuchFile)
            trial.expect(!ending.hasValue, "there is a value, too")
            trial.expect(!progress.isFinished, "the progress of what failed is finished")
            try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
        }
    }

    // MARK: Local files

    private static let transfers: [ConformanceCheck] = [
        Self("handlers.upload", "the handler of an upload is called once, on its queue", needs: .writing) { trial in
            try await withLocalFolder { folder in
                let url = try folder.write("up", Data(file: "x"))
                let (ending, progress) = try await trial.handled("uploading") { finish in
                    try trial.files.copyItem(localFile: url, to: trial["new"]) { finish(Ending($0)) }
                }
                trial.expect(ending.error == nil, "there is an error: \(ending)")
                trial.expect(progress.isFinished, "the progress is not finished")
                let again = try await trial.handled("uploading again") { finish in
                    try trial.files.copyItem(localFile: url, to: trial["new"]) { finish(Ending($0)) }
                }
                trial.expect(again.ending, failedWith: .fileWriteFileExists)
            }
            try await trial.expectTree(["new": "x"])
        },
        Self("handlers.download", "the handler of a download is called once, on its queue", needs: [.operations]) {
            trial in
            try await trial.plant(["a.txt": "a"])
            try await withLocalFolder { folder in
                let (ending, progress) = try await trial.handled("downloading") { finish in
                    let url = folder["down"]
                    return try trial.operations.copyItem(path: trial["a.txt"], toLocalURL: url) { finish(Ending($0)) }
                }
                trial.expect(ending.error == nil, "there is an error: \(ending)")
                trial.expect(progress.isFinished, "the progress is not finished")
                trial.expectEqual(try folder.read("down"), Data(file: "a"), "the local file")
            }
        },
    ]

    // MARK: Queues and cancelling

    private static let queues: [ConformanceCheck] = [
        Self(
            "handlers.progress",
            "a progress tells what is done, since when, and that it is about files",
            needs: .writing
        ) { trial in
            try await trial.plant(["a.txt": "a"])
            let (ending, progress) = try await trial.handled("copying") { finish in
                try trial.files.copyItem(path: trial["a.txt"], to: trial["b.txt"]) { finish(Ending($0)) }
            }
            trial.expect(ending.error == nil, "there is an error: \(ending)")
            try await trial.expectTree(["a.txt": "a", "b.txt": "a"])
            trial.expectEqual(progress.kind, .file, "the kind")
            let kind = progress.fact(.fileOperationKindKey, as: Progress.FileOperationKind.self)
            trial.expectEqual(kind, .copying, "the kind of operation")
            let operation = FileOperationType.copy(source: .item(trial["a.txt"]), destination: .item(trial["b.txt"]))
            trial.expectEqual(progress.operationType, operation, "the operation")
            trial.expect(progress.startTime.map { abs($0.timeIntervalSinceNow) < 600 } ?? false, "no start time")
        },
        Self("handlers.suspended", "nothing is done while the operation queue is suspended", needs: .writing) { trial in
            let queue = trial.provider.environment.operationQueue
            queue.isSuspended = true
            defer { queue.isSuspended = false }
            let calls = HandlerCalls<Ending>(on: MarkedQueue(trial.provider.environment.callbackQueue))
            try trial.files.writeContents(path: trial["a"], contents: Data(file: "a")) { calls.note(Ending($0)) }
            trial.expectEqual(queue.operationCount, 1, "operations that wait")
            try await trial.expectTree([:])
            trial.expectEqual(calls.values.count, 0, "calls of the handler")
            queue.isSuspended = false
            _ = try await calls.firstValue(within: trial.timeout)
            try await trial.expectTree(["a": "a"])
        },
        Self("handlers.limit", "no more operations run at once than the environment allows", needs: .streaming) {
            trial in
            let streams = try trial.streams
            for limit in [1, 2] {
                trial.provider.environment.maximumOperationTasks = limit
                let running = Mutex((now: 0, most: 0))
                let calls = (0..<6).map { _ in
                    HandlerCalls<Ending>(on: MarkedQueue(trial.provider.environment.callbackQueue))
                }
                for (number, call) in calls.enumerated() {
                    let chunks = ScriptedChunks(Data(file: "abcd"), chunkSize: 1) { index in
                        running.withLock { running in
                            if index == 0 { running = (running.now + 1, max(running.most, running.now + 1)) }
                            if index == 4 { running.now -= 1 }
                        }
                        await Task.yield()
                    }
                    let path = trial.root.appending("\(limit)-\(number)")
                    streams.writeStream(path: path, contents: chunks) { call.note(Ending($1)) }
                }
                for call in calls {
                    let ending = try await call.firstValue(within: trial.timeout)
                    trial.expect(ending.error == nil, "there is an error: \(ending)")
                }
                let most = running.withLock { $0.most }
                trial.expect(most <= limit, "\(most) ran at once, where \(limit) may")
            }
            trial.expectEqual(try await trial.snapshot().entries.count, 12, "files")
        },
        Self(
            "handlers.cancelled-before",
            "an operation that is cancelled before it begins gives userCancelled, and changes nothing",
            needs: .writing
        ) { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b"])
            let queue = trial.provider.environment.operationQueue
            for form in HandlerForm.changes where form.needs.allSatisfy({ $0.isMet(trial.provider) }) {
                let (ending, progress) = try await trial.handled(form.words) { finish in
                    queue.isSuspended = true
                    defer { queue.isSuspended = false }
                    let progress = try form.start(trial, trial[form.good], finish)
                    progress.cancel()
                    return progress
                }
                trial.expect(ending, failedWith: .userCancelled)
                trial.expect(progress.isCancelled, "the progress is not cancelled")
            }
            try await trial.expectTree(["a.txt": "a", "folder/b.txt": "b"])
            // The queue is none the worse for it.
            let (ending, _) = try await trial.handled("removing") { finish in
                try trial.files.removeItem(path: trial["folder"]) { finish(Ending($0)) }
            }
            trial.expect(ending.error == nil, "there is an error: \(ending)")
            try await trial.expectTree(["a.txt": "a"])
        },
        Self(
            "handlers.cancelled-midway",
            "an operation whose progress is cancelled midway gives userCancelled, and leaves nothing",
            needs: .streaming
        ) { trial in
            let streams = try trial.streams
            try await trial.plant(["old.txt": "old"])
            for (path, options) in [(trial["new"], WriteOptions()), (trial["old.txt"], WriteOptions(overwrite: true))] {
                let progress = Mutex<Progress?>(nil)
                let chunks = ScriptedChunks(Trial.bytes(1 << 20), chunkSize: 1_000) { index in
                    if index < 3 { return }
                    while progress.withLock({ $0 }) == nil { await Task.yield() }
                    progress.withLock { $0 }?.cancel()
                }
                let (ending, _) = try await trial.handled("writing") { finish in
                    let started = streams.writeStream(path: path, contents: chunks, options: options) {
                        finish(Ending($1))
                    }
                    progress.withLock { $0 = started }
                    return started
                }
                trial.expect(ending, failedWith: .userCancelled)
            }
            try await trial.expectTree(["old.txt": "old"], afterBreak: true)
        },
        Self("handlers.cancelled-after", "cancelling what has ended does nothing", needs: .writing) { trial in
            let (_, progress) = try await trial.handled("writing") { finish in
                try trial.files.writeContents(path: trial["a"], contents: Data(file: "a")) { finish(Ending($0)) }
            }
            progress.cancel()
            try await trial.drainOperations()
            try await trial.expectTree(["a": "a"])
        },
        Self("handlers.order", "handlers come one after the other, never two at once", needs: [.reading]) { trial in
            try await trial.plant(["a.txt": "a"])
            let inside = Mutex((now: 0, most: 0))
            let calls = (0..<12).map { _ in
                HandlerCalls<Ending>(on: MarkedQueue(trial.provider.environment.callbackQueue))
            }
            for call in calls {
                trial.provider.attributesOfItem(path: trial["a.txt"]) { item, error in
                    inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                    call.note(Ending(item, error))
                    inside.withLock { $0.now -= 1 }
                }
            }
            for call in calls {
                let ending = try await call.firstValue(within: trial.timeout)
                trial.expect(ending.error == nil && ending.hasValue, "there is an error: \(ending)")
            }
            trial.expectEqual(inside.withLock { $0.most }, 1, "handlers at once")
        },
    ]

    // MARK: Pieces

    private static let streamed: [ConformanceCheck] = [
        Self("handlers.partial-listing", "if a page fails, the handler gets the pages before it and the error") {
            trial in
            try await trial.plantMany(20)
            let faulty = trial.provider.withFaults(
                .init(.directoryListing, on: .call(2), fault: .error(URLError(.networkConnectionLost)))
            )
            let items = Mutex<[FileObject]>([])
            let (ending, _) = try await trial.handled("listing") { finish in
                faulty.contentsOfDirectory(path: trial.root) { found, error in
                    items.withLock { $0 = found }
                    finish(Ending(error))
                }
            }
            trial.expect((ending.error as? URLError)?.code == .networkConnectionLost, "the error is \(ending)")
            trial.expect(!items.withLock { $0 }.isEmpty, "what was listed is lost")
        },
        Self("handlers.partial-search", "if a search fails, the handler gets what was found and the error") { trial in
            try await trial.plant(["a.txt": "a", "b.txt": "b"])
            let faulty = trial.provider.withFaults(
                .init(.searchFiles, on: .call(2), fault: .error(URLError(.networkConnectionLost)))
            )
            let items = Mutex<[FileObject]>([])
            let (ending, _) = try await trial.handled("searching") { finish in
                faulty.searchFiles(path: trial.root, recursive: true, query: FileQuery.all) { found, error in
                    items.withLock { $0 = found }
                    finish(Ending(error))
                }
            }
            trial.expect((ending.error as? URLError)?.code == .networkConnectionLost, "the error is \(ending)")
            trial.expect(!items.withLock { $0 }.isEmpty, "what was found is lost")
        },
        Self("handlers.found-items", "the handler for found items gets each once, in order, on its queue") { trial in
            try await trial.plant(["a.txt": "a", "folder/b.txt": "b", "folder/inner/c.txt": "c"])
            let found = HandlerCalls<ItemPath>(on: MarkedQueue(trial.provider.environment.callbackQueue))
            let all = Mutex<[ItemPath]>([])
            try await trial.handled("searching") { finish in
                trial.provider.searchFiles(path: trial.root, recursive: true, query: FileQuery.all) { item in
                    found.note(item.path)
                } completionHandler: { items, error in
                    all.withLock { $0 = items.map(\.path) }
                    // All handlers are called before this one.
                    trial.expectEqual(found.values, items.map(\.path), "found items")
                    finish(Ending(error))
                }
            }
            trial.expectEqual(all.withLock { $0 }.count, 5, "items")
            trial.expectEqual(found.strays, 0, "calls on another queue")
        },
        Self(
            "handlers.chunks",
            "the handlers of a stream get the facts first, then each chunk with its offset, all on their queue",
            needs: [.streams]
        ) { trial in
            let data = Trial.bytes(2 * DataChunks.chunkSize + 9)
            let path = try await trial.plant("a.bin", data)
            let queue = MarkedQueue(trial.provider.environment.callbackQueue)
            let facts = HandlerCalls<FileContentFacts>(on: queue)
            let met = Mutex(Data())
            let (ending, _) = try await trial.handled("streaming") { finish in
                try trial.streams.contentStream(path: path, range: .from(5)) { told in
                    facts.note(told)
                } progressHandler: { offset, chunk in
                    trial.expect(queue.isCurrent, "a chunk comes on another queue")
                    trial.expectEqual(facts.values.count, 1, "facts before the first chunk")
                    met.withLock { met in
                        trial.expectEqual(offset, Int64(met.count + 5), "the offset")
                        met.append(contentsOf: chunk.readableBytesView)
                    }
                } completionHandler: {
                    finish(Ending($0))
                }
            }
            trial.expect(ending.error == nil, "there is an error: \(ending)")
            trial.expectEqual(met.withLock { $0 }, Data(data.dropFirst(5)), "the bytes")
            trial.expectEqual(facts.values.count, 1, "how often the facts are told")
        },
        Self(
            "handlers.notification",
            "who registers for a path is called when something changes, until that is taken back",
            needs: .writing + [.monitor]
        ) { trial in
            let monitor = try trial.monitor
            let calls = HandlerCalls<Bool>(on: MarkedQueue(trial.provider.environment.callbackQueue))
            trial.expect(!monitor.isRegisteredForNotification(path: trial.root), "it is registered beforehand")
            monitor.registerNotification(path: trial.root) { calls.note(true) }
            trial.expect(monitor.isRegisteredForNotification(path: trial.root), "it is not registered")
            // Registering returns before the watch has begun: change things until it is seen.
            let writer = Task { [files = try trial.files] in
                var number = 0
                while !Task.isCancelled, calls.values.isEmpty {
                    let path = trial.root.appending("\(number)")
                    _ = try? await files.writeContents(path: path, contents: Data())
                    number += 1
                    await Task.yield()
                }
            }
            defer { writer.cancel() }
            do {
                _ = try await calls.firstValue(within: trial.timeout)
            } catch is DeadlinePassed {
                trial.fail("the handler is never called")
            }
            trial.expectEqual(calls.strays, 0, "calls on another queue")
            monitor.unregisterNotification(path: trial.root)
            trial.expect(!monitor.isRegisteredForNotification(path: trial.root), "it is still registered")
            // It must not write into what is tidied up.
            writer.cancel()
            await writer.value
        },
    ]
}
