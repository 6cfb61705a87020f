import FerryCache
import FerryTestKit
import FerryTestServers
import Testing

@Suite("WebDAV providers with a cache behave as every provider must, on real servers")
struct CachedServerConformanceTests {
    /// All of them but the one that asks nobody.
    private static let modes: [CachingOptions] = [
        [], .validate, .doNotCacheResult, .doNotReturnCachedResult, .requestEvenIfCached, .removeExistingCache,
        .ignoreCache, .disableCache,
    ]

    @Test("in each mode", arguments: modes, ConformanceCheck.all)
    func apache(_ mode: CachingOptions, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(.apache, check, mode))
    }

    @Test("where there are no eTags", arguments: [[], .validate] as [CachingOptions], ConformanceCheck.all)
    func nginx(_ mode: CachingOptions, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(.nginx, check, mode))
    }

    private func subject(
        _ kind: RealServerKind,
        _ check: ConformanceCheck,
        _ options: CachingOptions
    ) -> ConformanceSubject {
        let way = RealServerWay(kind: kind, login: .basic, isSecure: false)
        let occasional = ServerDeviations.occasional
        let name = "cached \(way), \(options)"
        return ConformanceSubject(name, deviations: ServerDeviations.of(way), occasional: occasional) {
            var stage = try await RealStage.conformance(way, for: check) {
                CachedFileProvider($0, store: CacheStore(at: nil), options: options)
            }
            // Who is not asked doesn't tell what others have done.
            let seesOthers = !options.isEmpty && options != .doNotCacheResult
            if !seesOthers, check.group != "situations", check.group != "errors" { stage.fixtures = nil }
            if !seesOthers { stage.another = nil }
            return stage
        }
    }
}
