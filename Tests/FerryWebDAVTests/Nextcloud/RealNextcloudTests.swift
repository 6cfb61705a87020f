import FerryCore
import FerryHTTP
import FerryTestKit
import Foundation
import Testing

@testable import FerryWebDAV

/// A Nextcloud or ownCloud that somebody has: `FERRY_NEXTCLOUD_URL`, `FERRY_NEXTCLOUD_USER` and
/// `FERRY_NEXTCLOUD_PASSWORD` say where, and who.
///
/// Each rule has a folder of its own there, which is removed afterwards; the trash is not emptied. They come one after the
/// other: two items of one name that are removed in one second are one in the server's trash. `FERRY_NEXTCLOUD_RULES`
/// may say what the names of the rules to try begin with.
enum RealNextcloud {
    private static let environment = ProcessInfo.processInfo.environment

    static let url = environment["FERRY_NEXTCLOUD_URL"].flatMap(URL.init(string:))

    static let checks = ConformanceCheck.all.filter { check in
        environment["FERRY_NEXTCLOUD_RULES"].map { check.id.rawValue.hasPrefix($0) } ?? true
    }

    static func provider(at url: URL?) async throws -> NextcloudFileProvider {
        let provider = try await NextcloudFileProvider.open(
            try #require(url),
            credential: FileProviderCredential(
                user: environment["FERRY_NEXTCLOUD_USER"] ?? "",
                secret: .password(environment["FERRY_NEXTCLOUD_PASSWORD"] ?? "")
            )
        )
        return try #require(provider as? NextcloudFileProvider)
    }

    /// A provider whose root is a new folder.
    static func stage() async throws -> ConformanceStage {
        let top = try await provider(at: url)
        let folder = ItemPath.root.appending("ferry-check-\(UUID().uuidString.lowercased())")
        try await top.create(folder: folder.lastName, at: .root)
        let provider = try await provider(at: top.url(of: folder))
        return ConformanceStage(provider) {
            try await top.removeItem(path: folder)
            await provider.invalidate()
            await top.invalidate()
        }
    }
}

@Suite(
    "Files on Nextcloud behave as every provider must",
    .enabled("needs a server: FERRY_NEXTCLOUD_URL", { RealNextcloud.url != nil }),
    .serialized
)
struct RealNextcloudTests {
    @Test("at a server itself", arguments: RealNextcloud.checks)
    func conforms(to check: ConformanceCheck) async throws {
        let deviations = NextcloudConformanceTests.deviations
        let subject = ConformanceSubject("server", deviations: deviations, occasional: ["monitoring.order"]) {
            try await RealNextcloud.stage()
        }
        try await check.run(on: subject)
    }
}
