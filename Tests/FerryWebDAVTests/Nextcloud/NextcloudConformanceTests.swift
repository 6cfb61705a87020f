import FerryCore
import FerryHTTP
import FerryTestKit
import FerryTestServers
import Foundation
import Testing

@testable import FerryWebDAV

@Suite("Files on Nextcloud behave as every provider must")
struct NextcloudConformanceTests {
    @Test("at a stand-in for the server", arguments: ConformanceCheck.all)
    func conforms(to check: ConformanceCheck) async throws {
        try await check.run(on: Self.subject)
    }

    private static var subject: ConformanceSubject {
        ConformanceSubject("nextcloud", deviations: deviations, patience: .seconds(60)) {
            let server = try await NextcloudServer.start()
            let provider = try await server.provider()
            return ConformanceStage(provider, situations: situations(server), ownsTrash: true) {
                await provider.invalidate()
                await server.stop()
            }
        }
    }

    private static let deviations: [ConformanceCheck.ID: String] = {
        let blank = "Nextcloud refuses names of white space only"
        return [
            "monitoring.order": "what is made and removed between two questions is never seen",
            "names.file-only-a-space": blank, "names.folder-only-a-space": blank,
        ]
    }()

    private static func situations(
        _ server: NextcloudServer
    ) -> [ConformanceSituation: ConformanceSituationMaker] {
        [
            .full: { _ in server.setQuota(1_000) },
            .badCredential: { _ in server.changePassword() },
            .cutWhileWriting: { _ in
                server.inject(NextcloudFault(.cutsRequest(afterBytes: 1_000), method: "PUT", times: 1_000))
            },
            .unreachable: { _ in await server.stop() },
        ]
    }
}
