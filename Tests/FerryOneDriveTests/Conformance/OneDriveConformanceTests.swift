import FerryCloudLab
import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryOneDrive

@Suite("Files at OneDrive behave as every provider must")
struct OneDriveConformanceTests {
    @Test("on the lab, three entries a page", arguments: ConformanceScope.storage.checks())
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: OneDriveStage.subject)
    }

    @Test(
        "in the library of a SharePoint site, on the lab",
        arguments: ConformanceScope.server.checks(deviations: OneDriveStage.library.deviations.keys)
    )
    func conforms(inLibrary check: ConformanceCheck) async throws {
        try await check.run(on: OneDriveStage.library)
    }

    @Test("every bad day is tried but those that the lab does not know")
    func situations() async throws {
        let lab = try await CloudLab.start()
        let line = try await FaultProxy.start(to: lab.port)
        let stranger = try await Stranger.start()
        let situations = OneDriveStage.situations(lab, lab.graph.account.storage, line, stranger)
        let tried = Set(situations.keys).union([.untrusted])
        let untried: Set<ConformanceSituation> = [.readOnly, .unreadable, .unwritable, .baseGone]
        #expect(Set(ConformanceSituation.allCases).subtracting(tried) == untried)
        await stranger.stop()
        await line.stop()
        await lab.stop()
    }
}
