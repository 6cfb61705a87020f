import FerryCore
import FerryFTP
import FerryTestKit
import FerryTestServers
import Foundation

extension FTPStage {
    /// Returns what one rule is tried on, while few others are on the same server.
    static func conformance(_ way: FTPServerWay, for check: ConformanceCheck) async throws -> ConformanceStage {
        let permits = Permits.of(way)
        await permits.acquire()
        do {
            var settings = Settings()
            settings.trusts = check.id != "situations.untrusted"
            if check.id == "situations.bad-credential" { settings.password = "wrong" }
            if check.id == "situations.silent" { settings.patience = .seconds(4) }
            let stage = try await FTPStage(way, settings)
            let disk = check.id.rawValue.hasPrefix("situations.full") ? try await SmallDisk.mount(at: stage.place) : nil
            if check.id == "situations.silent" {
                // One that waits only seconds may lose its patience on a busy machine.
                try await until("the server is known") { (try? await stage.provider.discover()) != nil }
            } else if settings.trusts, settings.password == nil {
                try await stage.provider.discover()
            }
            var tried = ConformanceStage(stage.provider, fixtures: stage.files, situations: stage.situations(disk)) {
                try await disk?.unmount()
                await stage.cleanUp()
                await permits.release()
            }
            tried.another = stage.another
            return tried
        } catch {
            await permits.release()
            throw error
        }
    }

    private func situations(_ disk: SmallDisk?) -> [ConformanceSituation: ConformanceSituationMaker] {
        var situations: [ConformanceSituation: ConformanceSituationMaker] = [
            // It never had the right one: see `conformance`.
            .badCredential: { _ in },
            .unreachable: { _ in await proxy.stopListening() },
            .cutWhileReading: { _ in proxy.fault = .cutAnswer(after: 200_000) },
            .cutWhileWriting: { _ in proxy.fault = .cutRequest(after: 200_000, times: 1) },
            .silent: { _ in proxy.fault = .silence },
            .pageFails: { _ in proxy.fault = .cutAnswer(after: 20_000) },
            .baseGone: { _ in place.remove() },
        ]
        if server.way.security == .plain {
            situations[.senseless] = { _ in
                try await proxy.cutAll()
                proxy.fault = .nonsense
            }
        } else {
            // It never trusted the certificate: see `conformance`.
            situations[.untrusted] = { _ in }
        }
        if server.obeysPermissions {
            situations[.unreadable] = { path in chmod(place.path + path.string, 0) }
            situations[.unwritable] = { path in chmod(place.path + path.string, 0o555) }
        }
        if let disk { situations[.full] = { _ in try disk.fill() } }
        return situations
    }
}
