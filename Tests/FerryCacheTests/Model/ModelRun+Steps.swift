import FerryCore
import FerryTestKit
import Foundation
import NIOCore
import Synchronization
import Testing

@testable import FerryCache

extension ModelRun {
    /// Does one thing.
    func step() async throws {
        state.withLock { $0.counts.operations += 1 }
        clock.advance(by: Double(pick([0, 0, 0, 0, 0, 0, 1, 1, 3, 50])) / 4)
        // Between the storms there are calms, in which much comes to be kept.
        let isCalm = state.withLock { $0.counts.operations / 250 % 3 != 0 }
        switch number((isCalm && number(0..<10) != 0 ? 19 : 0)..<100) {
        case 0...14: try await change()
        case 15...19: await somebodyElse()
        case 20...49: try await readContents()
        case 50...54: try await readPartly()
        case 55...74: try await list()
        case 75...88: try await describe()
        case 89...91: try await askRoom()
        case 92...95: try await answers()
        case 96: if number(0..<6) == 0 { restart() }
        // With dates alone, a storage whose clock goes back proves nothing.
        case 97: clock.advance(by: settings.isCoarse ? 60 : Double(pick([-7_200, 7_200, -90, 90])))
        case 98: if number(0..<6) == 0 { files.kept.store.trimMemory() }
        default: try await expectLimits()
        }
    }

    // MARK: Changing

    private func change() async throws {
        let (first, second) = (path(), path())
        let overwrite = number(0..<3) != 0
        let floors = state.withLock { $0.floors }
        let kind = number(0..<14)
        var touched = [first]
        var isMoved = false
        if kind > 7 { letTimePass() }
        note("change \(kind) \(first) \(second) \(overwrite)")
        do {
            switch kind {
            case 0...3: try await files.writeContents(path: first, contents: content(for: first), overwrite: overwrite)
            case 4...5:
                let data = content(for: first)
                let options = WriteOptions(overwrite: overwrite)
                try await files.writeStream(path: first, contents: DataChunks(data), length: nil, options: options)
            case 6...7: try await files.create(folder: first.lastName, at: first.parent, creatingParents: overwrite)
            case 8...9:
                touched.append(second)
                try await files.moveItem(path: first, to: second, overwrite: overwrite)
                isMoved = true
            case 10: try await files.removeItem(path: first)
            case 11...12:
                touched = [second]
                try await files.copyItem(path: first, to: second, overwrite: overwrite)
            default:
                let date = settings.isCoarse ? date() : Date(timeIntervalSinceReferenceDate: Double(number(0..<3)))
                try await files.setAttributes(ItemAttributes(modifiedDate: date), path: first)
            }
        } catch {
            accept(error)
        }
        await record()
        if isMoved {
            if !overwrite { truth.inherit(first, second) { Self.floor($0, listing: $1, floors) } }
        }
        // Whatever came of it: what is kept of it from now on was asked for after it.
        let changed = truth.step
        state.withLock { state in
            for path in touched { state.floors[path] = changed }
        }
    }

    /// The step since which an answer must have been right: what was changed through the cache shows at once.
    private func floor(_ path: ItemPath, listing: Bool = false) -> Int {
        Self.floor(path, listing: listing, state.withLock { $0.floors })
    }

    private static func floor(_ path: ItemPath, listing: Bool, _ floors: [ItemPath: Int]) -> Int {
        floors.reduce(0) { floor, entry in
            let isConcerned = entry.key == path || path.isBelow(entry.key) || (listing && entry.key.parent == path)
            return isConcerned ? max(floor, entry.value) : floor
        }
    }

    // MARK: Reading

    private static var modes: [CachingOptions] {
        [
            [], [], [], .validate, .validate, .onlyIfCached, .onlyIfCached, .doNotReturnCachedResult,
            .requestEvenIfCached, .doNotCacheResult, .removeExistingCache, .ignoreCache, .disableCache,
        ]
    }

    private func list() async throws {
        let (path, options) = (number(0..<5) == 0 ? path() : pick(truth.folders), pick(Self.modes))
        let start = truth.step
        note("list \(path) \(options)")
        do {
            let items = try await files.withCaching(options).contentsOfDirectory(path: path)
            countUnasked(options)
            let isAsked = !isUnasked(options)
            let since = isAsked ? start : floor(path, listing: true)
            expect(truth.wasListing(items, of: path, since: since), "the listing of \(path) with \(options)")
        } catch {
            accept(error, about: path, since: start)
        }
    }

    private func describe() async throws {
        let (path, options) = (path(), pick(Self.modes))
        let start = truth.step
        note("describe \(path) \(options)")
        do {
            let item = try await files.withCaching(options).attributesOfItem(path: path)
            countUnasked(options)
            let since = isUnasked(options) ? floor(path) : start
            expect(truth.wasItem(item, at: path, since: since), "\(item) with \(options)")
        } catch {
            accept(error, about: path, since: start)
        }
    }

    private func askRoom() async throws {
        let options = pick(Self.modes)
        let start = truth.step
        note("room \(options)")
        do {
            let used = try await files.withCaching(options).storageProperties().usedCapacity ?? -1
            let since = isUnasked(options) ? state.withLock { $0.floors.values.max() ?? 0 } : start
            expect(truth.wasUsed(used, since: since), "\(used) bytes in use with \(options)")
        } catch {
            accept(error, about: .root, since: start)
        }
    }

    private func readContents() async throws {
        let (path, options) = (path(), pick(Self.modes))
        let start = truth.step
        // Large contents are kept in pieces of 262,144 bytes.
        let offset = Int64(pick([0, 8, 16, 24, 262_136, 262_144, 300_000, 524_280]))
        let range: ByteRange = pick([.all, .all, .bytes(offset..<offset + 16), .from(offset), .last(8)])
        note("read \(path) \(range) \(options)")
        do {
            let data = try await files.withCaching(options).contentStream(path: path, range: range).collect()
            // Without the storage, it may be any content that the file has ever had; else one of this moment.
            let since = options.contains(.onlyIfCached) ? floor(path) : start
            countUnasked(options)
            expect(truth.wasContent(data, range, at: path, since: since), "\(data.count) bytes of \(path) \(options)")
        } catch {
            accept(error, about: path, since: start)
        }
    }

    /// Somebody loses interest.
    private func readPartly() async throws {
        let path = path()
        note("read partly \(path)")
        do {
            for try await chunk in try await files.contentStream(path: path) where chunk.readableBytes > 0 { break }
        } catch {
            accept(error)
        }
    }

    private func answers() async throws {
        let path = path()
        let start = truth.step
        note("answers \(path)")
        var count = 0
        do {
            for try await answer in files.contentsAnswers(path: path) {
                let since = answer.isCached ? floor(path) : start
                expect(truth.wasContent(answer.value, .all, at: path, since: since), "an answer about \(path)")
                expect(!answer.isCached || count == 0, "a kept answer after a fresh one")
                count += 1
            }
        } catch {
            accept(error, about: path, since: start)
        }
    }

    private func expectLimits() async throws {
        let usage = await files.kept.store.usage()
        expect(usage.diskBytes <= limits.diskBytes, "\(usage.diskBytes) bytes on the disk")
        expect(usage.memoryBytes <= limits.memoryBytes, "\(usage.memoryBytes) bytes in memory")
        let share =
            usage.isOnDisk
            ? Double(usage.diskBytes) / Double(limits.diskBytes)
            : Double(usage.memoryBytes) / Double(limits.memoryBytes)
        state.withLock { state in
            state.counts.kept = max(state.counts.kept, usage.parts.reduce(0) { $0 + $1.count })
            state.counts.fullest = max(state.counts.fullest, share)
        }
    }

    // MARK: Judging

    private func isUnasked(_ options: CachingOptions) -> Bool {
        options.contains(.onlyIfCached) || [[], .doNotCacheResult, .removeExistingCache].contains(options)
    }

    /// Counts an answer that the storage can't have been asked for.
    private func countUnasked(_ options: CachingOptions) {
        if options.contains(.onlyIfCached) { state.withLock { $0.counts.unasked += 1 } }
    }

    private func note(_ line: String) {
        state.withLock { state in
            state.log.append("\(truth.step): \(line)")
            if state.log.count > 40 { state.log.removeFirst(20) }
        }
    }

    private func expect(
        _ condition: Bool,
        _ words: @autoclosure () -> String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        state.withLock { $0.counts.answers += 1 }
        guard !condition else { return }
        let (operation, log) = state.withLock { ($0.counts.operations, $0.log) }
        Issue.record(
            "seed \(settings.seed), operation \(operation): \(words()) was not so; \(log.suffix(12))",
            sourceLocation: sourceLocation
        )
    }

    private func accept(_ error: any Error, about path: ItemPath? = nil, since step: Int = 0) {
        state.withLock { $0.counts.faults += 1 }
        guard let path, let code = (error as? CocoaError)?.code, code == .fileNoSuchFile else { return }
        expect(truth.wasAbsent(path, since: step), "that there is no \(path)")
    }
}
