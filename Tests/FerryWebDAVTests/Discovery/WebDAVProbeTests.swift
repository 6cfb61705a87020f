import FerryCore
import FerryHTTP
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryWebDAV

@Suite("What is found by trying a server out")
struct WebDAVProbeTests {
    @Test("of a server that doesn't say who it is, is what is known of its kind", arguments: RealServerKind.allCases)
    func measured(_ kind: RealServerKind) async throws {
        try await withRealStage(kind) { stage in
            let known = stage.provider.connection.knownTraits
            let nameless = try WebDAVFileProvider(
                baseURL: stage.place.url,
                credential: FileProviderCredential(user: stage.server.user, secret: .password(stage.server.password)),
                transport: Nameless(NIOTransport())
            )
            let description = try await nameless.discover()
            // Go's package is known by its methods alone.
            #expect(description.kind == (kind == .rclone ? "golang" : "unknown") && description.software == nil)
            let found = nameless.connection.facts.tried
            #expect(found.dateSetting == known.dateSetting)
            if kind != .rclone {
                #expect(found.absenceCondition == known.absenceCondition || found.absenceCondition == .ifNoneMatch)
                #expect(found.refusesExistingFolders == known.refusesExistingFolders)
                #expect(found.readsRanges == known.readsRanges)
                #expect(found.isCaseSensitive == true && found.distinguishesNormalizationForms == true)
            }
            #expect(try stage.place.names().isEmpty, "nothing is left there")
            #expect(WebDAVTrial(found.text) == found)
            await nameless.invalidate()
        }
    }

    @Test(
        "is how files get dates, and is written down with the server",
        arguments: [WebDAVTraits.DateSetting.field, .lastModified, .win32, .seconds, .impossible]
    )
    func dates(setting: WebDAVTraits.DateSetting) async throws {
        try await withDAVServer(.unknown, discovering: false) { server, files in
            server.takeDates(by: setting)
            #expect(!files.capabilities.setsModifiedDate)
            try await files.discover()
            #expect(files.connection.facts.tried.dateSetting == setting)
            #expect(files.capabilities.setsModifiedDate == (setting != .impossible))
            let written = files.configuration
            #expect(written.options["tried"]?.contains("dates=\(setting.rawValue)") == true)
            let again = try await WebDAVFileProvider(
                configuration: written,
                credentials: MemoryCredentialStore(),
                environment: FileProviderEnvironment()
            )
            #expect(again.configuration == written)
            let options = WriteOptions(modifiedDate: Date(timeIntervalSince1970: 1_600_000_000))
            try await again.writeStream(path: "/a", contents: DataChunks(Data("a".utf8)), length: 1, options: options)
            #expect(server.date(of: "/a") == (setting == .impossible ? nil : 1_600_000_000))
            await again.invalidate()
        }
    }
}

/// Takes the name of the server from its answers.
private final class Nameless: HTTPTransport {
    private let base: any HTTPTransport

    init(_ base: any HTTPTransport) {
        self.base = base
    }

    func send(_ request: HTTPRequest, body: HTTPRequestBody?) async throws -> HTTPReply {
        let reply = try await base.send(request, body: body)
        var head = reply.head
        head.headerFields[.server] = nil
        return HTTPReply(head: head, body: reply.body)
    }

    func shutdown() async { await base.shutdown() }
}
