import FerryCore
import FerryLocal
import FerryTestKit
import FerryTestServers
import Foundation
import Synchronization

@testable import FerrySFTP

/// The place of one rule's trial: a folder of its own on the shared server; for bad days a proxied line of its own.
enum SFTPConformanceStage {
    static func make(_ options: SSHServer.Options, for check: ConformanceCheck) async throws -> ConformanceStage {
        guard check.group == "situations" else { return try await plain(options) }
        return try await withBadDays(options, for: check)
    }

    private static func plain(_ options: SSHServer.Options) async throws -> ConformanceStage {
        let stage = try await SFTPServerStage(try await SSHServer.shared(options))
        // The server's abilities are known before a rule asks.
        _ = try await stage.provider.session.facts()
        var tried = ConformanceStage(stage.provider, fixtures: fixtures(stage.place)) { stage.cleanUp() }
        tried.another = try SFTPFileProvider(
            baseURL: stage.place.url(),
            credential: nil,
            session: stage.provider.session
        )
        return tried
    }

    private static func fixtures(_ place: SSHServerPlace) -> any FileProvider {
        PlaceFiles(LocalFileProvider(baseURL: URL(filePath: place.path, directoryHint: .isDirectory)), place: place)
    }

    private static func withBadDays(
        _ options: SSHServer.Options,
        for check: ConformanceCheck
    ) async throws -> ConformanceStage {
        var options = options
        options.hasSmallDisk = ["full", "read-only"].contains { check.id.rawValue.contains($0) }
        let server = try await options.hasSmallDisk ? SSHServer.start(options) : SSHServer.shared(options)
        let place = try server.makePlace()
        let proxy = try await FaultProxy.start(to: server.port)
        let isAboutPasswords = check.id == "situations.bad-credential"
        var sftp = SFTPOptions()
        sftp.timeout = check.id == "situations.silent" ? .seconds(2) : .seconds(60)
        sftp.configurationFile = try await server.clientConfiguration(
            isAboutPasswords ? .password : .key,
            known: check.id == "situations.untrusted" ? .changed : .right
        )
        let password = SpoiltAnswer(server.password)
        let provider = try SFTPFileProvider(
            baseURL: place.url(port: proxy.port),
            options: sftp,
            asking: isAboutPasswords ? password : nil
        )
        let fixtures = fixtures(place)
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            .badCredential: { _ in password.spoil() },
            .unreachable: { _ in await proxy.stopListening() },
            .cutWhileReading: { _ in proxy.fault = .cutAnswer(after: 200_000) },
            .cutWhileWriting: { _ in proxy.fault = .cutRequest(after: 200_000, times: 1) },
            .silent: { _ in proxy.fault = .silence },
            .senseless: { _ in proxy.fault = .nonsense },
            .untrusted: { _ in },
            .pageFails: { _ in proxy.fault = .cutAnswer(after: 20_000) },
            .baseGone: { _ in place.remove() },
            .unreadable: { path in chmod(place.path + path.string, 0) },
            .unwritable: { path in chmod(place.path + path.string, 0o555) },
        ]
        if options.hasSmallDisk, let disk = server.disk {
            situations[.full] = { _ in try disk.fill() }
            situations[.readOnly] = { _ in try await disk.makeReadOnly() }
        }
        return ConformanceStage(provider, fixtures: fixtures, situations: situations) {
            await provider.invalidate()
            await proxy.stop()
            place.remove()
        }
    }
}

/// Answers with a password, until it is spoilt.
private final class SpoiltAnswer: LoginQuestionAnswering {
    private let password: Mutex<String>

    init(_ password: String) {
        self.password = Mutex(password)
    }

    func spoil() { password.withLock { $0 = "wrong" } }

    func answer(_ question: LoginQuestion) async throws -> String? { password.withLock { $0 } }
}
