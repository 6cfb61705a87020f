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

    @Test("every bad day is tried but those that the lab does not know")
    func situations() async throws {
        let lab = try await CloudLab.start()
        let line = try await FaultProxy.start(to: lab.port)
        let stranger = try await Stranger.start()
        let tried = Set(OneDriveStage.situations(lab, line, stranger).keys).union([.untrusted])
        let untried: Set<ConformanceSituation> = [.readOnly, .unreadable, .unwritable, .baseGone]
        #expect(Set(ConformanceSituation.allCases).subtracting(tried) == untried)
        await stranger.stop()
        await line.stop()
        await lab.stop()
    }
}
