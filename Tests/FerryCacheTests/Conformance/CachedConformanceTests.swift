import FerryCore
import FerryMemory
import FerryTestKit
import Foundation
import Testing

@testable import FerryCache
@testable import FerryLocal

@Suite("A caching provider behaves as every provider must")
struct CachedConformanceTests {
    @Test("around memory", arguments: ConformanceScope.wrapper.checks())
    func memory(check: ConformanceCheck) async throws {
        try await check.run(on: Self.memory(.byDefault))
    }

    @Test("around memory, in each further mode", arguments: CachingMode.further, ConformanceScope.reading.checks())
    func memory(mode: CachingMode, check: ConformanceCheck) async throws {
        try await check.run(on: Self.memory(mode))
    }

    @Test("around local files, kept on the disk", arguments: ConformanceScope.wrapper.checks())
    func local(check: ConformanceCheck) async throws {
        try await check.run(on: Self.local(.byDefault))
    }

    @Test(
        "around local files, kept on the disk, in each further mode",
        arguments: CachingMode.further,
        ConformanceScope.reading.checks()
    )
    func local(mode: CachingMode, check: ConformanceCheck) async throws {
        try await check.run(on: Self.local(mode))
    }

    private static func memory(_ mode: CachingMode) throws -> ConformanceSubject {
        try #require(memorySubjects[mode.name])
    }

    private static func local(_ mode: CachingMode) throws -> ConformanceSubject {
        try #require(localSubjects[mode.name])
    }

    private static let memorySubjects = subjects { mode in
        ConformanceSubject("memory, \(mode)") {
            CachedFileProvider(MemoryFileProvider(pageSize: 7), store: CacheStore(at: nil), options: mode.options)
        }
    }

    private static let localSubjects = subjects { mode in
        ConformanceSubject(
            "local, \(mode)",
            stage: {
                let folder = try CacheFolder()
                let local = LocalFileProvider(
                    base: BaseFolder(path: folder.path("files")),
                    trashes: TrashFolders(environment: ["XDG_DATA_HOME": folder.path("data")]),
                    asides: AsideFolders(environment: ["XDG_STATE_HOME": folder.path("state")])
                )
                let store = CacheStore(at: URL(filePath: folder.path("cache")))
                let cached = CachedFileProvider(local, store: store, options: mode.options)
                return ConformanceStage(cached, fixtures: mode.seesOthers ? local : nil, ownsTrash: true) {
                    _ = folder  // removed with its last user
                }
            }
        )
    }

    private static func subjects(_ make: (CachingMode) -> ConformanceSubject) -> [String: ConformanceSubject] {
        Dictionary(uniqueKeysWithValues: CachingMode.all.map { ($0.name, make($0)) })
    }
}

/// A way to use the cache.
struct CachingMode: Sendable, CustomTestStringConvertible, CustomStringConvertible {
    let name: String
    let options: CachingOptions

    static let byDefault = CachingMode(name: "by default", options: [])
    static let validating = CachingMode(name: "validating", options: .validate)

    static let all = [
        byDefault,
        validating,
        CachingMode(name: "keeping nothing", options: .doNotCacheResult),
        CachingMode(name: "asking always", options: .doNotReturnCachedResult),
        CachingMode(name: "asking in any case", options: .requestEvenIfCached),
        CachingMode(name: "forgetting what is kept", options: .removeExistingCache),
        CachingMode(name: "ignoring the cache", options: .ignoreCache),
        CachingMode(name: "disabling the cache", options: .disableCache),
    ]

    /// The modes besides the usual one.
    static let further = Array(all.dropFirst())

    var description: String { name }
    var testDescription: String { name }

    /// Indicates whether what another client does shows at once.
    var seesOthers: Bool { ![[], .doNotCacheResult, .removeExistingCache].contains(options) }
}

/// A folder for one test.
final class CacheFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "ferry-cached-\(UUID().uuidString.lowercased())")
        try FileManager.default.createDirectory(
            at: url.appending(path: "files"),
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
