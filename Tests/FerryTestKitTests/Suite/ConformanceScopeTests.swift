import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

@testable import FerryTestKit

@Suite(
    "The parts of the rules",
    .disabled(if: ProcessInfo.processInfo.environment["FERRY_DEEP"] == "1", "each part is all of them then")
)
struct ConformanceScopeTests {
    @Test(
        "have the rules in their usual order, and all of them have only what all has",
        arguments: ConformanceScope.allCases
    )
    func order(scope: ConformanceScope) {
        let all = ConformanceCheck.all.map(\.id)
        let part = scope.checks().map(\.id)
        #expect(part == all.filter(Set(part).contains))
        #expect(scope == .all ? part == all : !part.isEmpty && part.count < all.count)
    }

    @Test("always have the declared deviations, so that their list stays true", arguments: ConformanceScope.allCases)
    func deviations(scope: ConformanceScope) throws {
        for check in ConformanceCheck.all {
            #expect(scope.checks(deviations: [check.id]).contains { $0.id == check.id }, "\(check.id)")
        }
    }

    @Test("leave out for a storage only what is derived for all storages at once")
    func storage() {
        let left = Set(ConformanceCheck.all.map(\.id)).subtracting(ConformanceScope.storage.checks().map(\.id))
        #expect(
            Set(left.compactMap { $0.rawValue.split(separator: ".").first }) == ["handlers", "delegates", "wrappers"]
        )
    }

    @Test("have five awkward names for a wrapper, and every one for a further server")
    func names() {
        func names(_ scope: ConformanceScope) -> Set<String> {
            Set(scope.checks().compactMap { AwkwardName.slug(ofRule: $0.id) })
        }
        #expect(names(.wrapper) == AwkwardName.few)
        #expect(names(.server) == names(.all) && names(.all).count > 30)
    }

    @Test("are about names, errors, overwriting and situations for a further server")
    func server() {
        let groups = Set(ConformanceScope.server.checks().map(\.group))
        #expect(groups == ["names", "errors", "overwriting", "situations"])
    }
}

@Suite("Rules that do not apply")
struct ConformanceApplicabilityTests {
    @Test("make no stage once a provider was seen, and those that apply make one each")
    func stages() async throws {
        let made = Mutex<[ConformanceCheck.ID]>([])
        let subject = ConformanceSubject(stageFor: { check in
            made.withLock { $0.append(check.id) }
            return ConformanceStage(MemoryFileProvider())
        })
        // The first one shows what the provider can do.
        let first = try #require(ConformanceCheck.all.first { $0.id == "streams.chunks" })
        _ = await first.verify(on: subject)
        made.withLock { $0 = [] }
        // Memory can't share, and nothing makes it run full.
        for (id, isApplicable) in [("sharing.round-trip", false), ("errors.attributes-missing", true)] {
            let check = try #require(ConformanceCheck.all.first { $0.id.rawValue == id })
            let outcome = await check.verify(on: subject)
            if case .notApplicable = outcome { #expect(!isApplicable) } else { #expect(isApplicable) }
        }
        #expect(made.withLock { $0 } == ["errors.attributes-missing"])
    }

    @Test("say the same with and without a stage")
    func reasons() async throws {
        let check = try #require(ConformanceCheck.all.first { $0.id == "sharing.round-trip" })
        let subject = ConformanceSubject { MemoryFileProvider() }
        guard case .notApplicable(let before) = await check.verify(on: subject) else {
            Issue.record("memory can't share")
            return
        }
        _ = await ConformanceCheck.all[0].verify(on: subject)
        guard case .notApplicable(let after) = await check.verify(on: subject) else {
            Issue.record("memory can't share")
            return
        }
        #expect(before == after && !before.isEmpty)
    }
}
