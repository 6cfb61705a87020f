import FerryCache
import FerryTestKit
import FerryTestServers
import Testing

@Suite("WebDAV providers with a cache behave as every provider must, on real servers")
struct CachedServerConformanceTests {
    @Test("while the cache is asked first", arguments: [RealServerKind.apache, .nginx], ConformanceCheck.all)
    func byDefault(_ kind: RealServerKind, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(kind, check, []))
    }

    @Test("while the server is always asked", arguments: [RealServerKind.apache, .nginx], ConformanceCheck.all)
    func validating(_ kind: RealServerKind, keeps check: ConformanceCheck) async throws {
        try await check.run(on: subject(kind, check, .validate))
    }

    private func subject(
        _ kind: RealServerKind,
        _ check: ConformanceCheck,
        _ options: CachingOptions
    ) -> ConformanceSubject {
        let way = RealServerWay(kind: kind, login: .basic, isSecure: false)
        let occasional = ServerDeviations.occasional
        return ConformanceSubject("cached \(way)", deviations: ServerDeviations.of(way), occasional: occasional) {
            var stage = try await RealStage.conformance(way, for: check) {
                CachedFileProvider($0, store: CacheStore(at: nil), options: options)
            }
            // Who is not asked doesn't tell what others have done.
            if options.isEmpty, check.group != "situations", check.group != "errors" { stage.fixtures = nil }
            if options.isEmpty { stage.another = nil }
            return stage
        }
    }
}
