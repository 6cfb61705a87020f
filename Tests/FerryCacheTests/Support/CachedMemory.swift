import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Synchronization

@testable import FerryCache

/// A storage in memory, whose calls are counted, with a cache in memory around it.
struct CachedMemory: Sendable {
    typealias Base = FaultInjectingFileProvider<MemoryFileProvider>

    let memory = MemoryFileProvider(pageSize: 3)
    let counted: Base
    let files: CachedFileProvider<Base>

    init(settings: CacheSettings = CacheSettings(readAheadBytes: 0), store: CacheStore = Self.store()) {
        counted = FaultInjectingFileProvider(memory)
        files = CachedFileProvider(counted, store: store, settings: settings)
    }

    /// A store in memory that keeps things however short of memory the machine is.
    static func store() -> CacheStore {
        CacheStore(at: nil, limits: CacheLimits(), pressure: MemoryPressure { false }, trace: nil)
    }

    func write(_ path: ItemPath, _ text: String) async throws {
        try await memory.writeContents(path: path, contents: Data(text.utf8), overwrite: true)
    }

    /// Returns what a read by these options gives, and how many calls of each method that took.
    func read(_ path: ItemPath, _ options: CachingOptions = []) async throws -> String {
        String(decoding: try await files.withCaching(options).contents(path: path), as: UTF8.self)
    }

    func names(_ path: ItemPath = "/", _ options: CachingOptions = []) async throws -> [String] {
        try await files.withCaching(options).contentsOfDirectory(path: path).map(\.name)
    }
}

/// Lets calls wait until somebody opens it.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [(count: Int, CheckedContinuation<Void, Never>)] = []
    private var arrived = 0

    func wait() async {
        arrived += 1
        let due = arrivals.filter { $0.count <= arrived }
        arrivals.removeAll { $0.count <= arrived }
        for (_, continuation) in due { continuation.resume() }
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Waits until so many have come.
    func arrival(of count: Int = 1) async {
        if arrived >= count { return }
        await withCheckedContinuation { arrivals.append((count, $0)) }
    }
}
