import FerryCache
import FerryTestKit
import FerryTestServers
import Testing

/// The usual mode and the one that asks the server each time; the further modes are tried around memory and local files.
@Suite("WebDAV providers with a cache behave as every provider must, on real servers")
struct CachedServerConformanceTests {
    @Test("by default", arguments: ConformanceScope.reading.checks(deviations: apache.deviations.keys))
    func byDefault(check: ConformanceCheck) async throws {
        try await check.run(on: Self.apache)
    }

    @Test("validating", arguments: ConformanceScope.reading.checks(deviations: validatingApache.deviations.keys))
    func validating(check: ConformanceCheck) async throws {
        try await check.run(on: Self.validatingApache)
    }

    @Test(
        "where there are no eTags",
        arguments: ConformanceScope.reading.checks(deviations: validatingNginx.deviations.keys)
    )
    func withoutETags(check: ConformanceCheck) async throws {
        try await check.run(on: Self.validatingNginx)
    }

    private static let apache = subject(.apache, [])
    private static let validatingApache = subject(.apache, .validate)
    private static let validatingNginx = subject(.nginx, .validate)

    private static func subject(_ kind: RealServerKind, _ options: CachingOptions) -> ConformanceSubject {
        let way = RealServerWay(kind: kind, login: .basic, isSecure: false)
        return ConformanceSubject(
            "cached \(way), \(options)",
            deviations: ServerDeviations.of(way),
            occasional: ServerDeviations.occasional,
            stageFor: { check in
                var stage = try await RealStage.conformance(way, for: check) {
                    CachedFileProvider($0, store: CacheStore(at: nil), options: options)
                }
                // A cache that asks nobody does not show what others have done.
                if options.isEmpty {
                    if check.group != "situations", check.group != "errors" { stage.fixtures = nil }
                    stage.another = nil
                }
                return stage
            }
        )
    }
}
