import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Testing

@testable import FerryDropbox

@Suite("Exchanges with Dropbox")
struct DropboxExchangeTests {
    // MARK: Login

    @Test("the token goes to the stated addresses, and never where changes are waited for")
    func token() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/get_metadata": .json(DropboxJSON.file("a.txt"))
            case "files/download":
                .init(fields: [.dropboxResult: DropboxJSON.file("a.txt")], body: "x")
            case "files/list_folder/longpoll": .json(#"{"changes":false}"#)
            default: .json("{}")
            }
        }
        _ = try await provider.attributesOfItem(path: "/a.txt")
        _ = try await provider.contents(path: "/a.txt")
        _ = try await provider.connection.call(
            DropboxRoute("files/list_folder/longpoll", host: .notify),
            ["cursor": "c", "timeout": 30]
        )
        let hosts = transport.sent.map { ($0.head.authority, $0.head.headerFields[.authorization]) }
        #expect(hosts.map(\.0) == ["api.dropboxapi.com", "content.dropboxapi.com", "notify.dropboxapi.com"])
        #expect(hosts.map(\.1) == ["Bearer secret", "Bearer secret", nil])
    }

    @Test("a redirect is not followed")
    func redirect() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in
            .init(status: 302, fields: [.location: "https://elsewhere.example/"], body: "")
        }
        await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a.txt") }
        #expect(transport.sent.count == 1)
    }

    @Test("paths begin in the team's space where that is wanted")
    func teamSpace() async throws {
        let options = try DropboxOptions(["path-root": "team"])
        let (provider, transport) = try DropboxFileProvider.scripted(options: options) { sent, _ in
            sent.route == "users/get_current_account"
                ? .json(#"{"root_info":{".tag":"team","root_namespace_id":"7","home_namespace_id":"8"}}"#)
                : .json(DropboxJSON.file("a.txt"))
        }
        for _ in 0..<2 { _ = try await provider.attributesOfItem(path: "/a.txt") }
        let roots = transport.sent.map { $0.head.headerFields[.dropboxPathRoot] }
        #expect(roots == [nil, #"{".tag":"root","root":"7"}"#, #"{".tag":"root","root":"7"}"#])
    }

    // MARK: Rate limits

    @Test("what is refused for the rate holds all of the account's requests, and is repeated")
    func throttle() async throws {
        let clock = InstantClock()
        let (provider, transport) = try DropboxFileProvider.scripted(clock: clock) { _, number in
            let refusal = #"{"error":{"reason":{".tag":"too_many_requests"}}}"#
            return number == 0
                ? .init(status: 429, fields: [.retryAfter: "5"], body: refusal)
                : .json(#"{"metadata":{".tag":"folder","name":"new","id":"id:2"}}"#)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.map(\.route) == ["files/create_folder_v2", "files/create_folder_v2"])
        #expect(clock.waits.reduce(.zero, +) >= .seconds(5))
    }

    @Test("a long wait is told, not waited for")
    func longWait() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, _ in
            .init(status: 429, fields: [.retryAfter: "3600"], body: "{}")
        }
        for _ in 0..<2 {
            let error = await #expect(throws: URLError.self) { try await provider.attributesOfItem(path: "/a") }
            #expect(error?.code == .resourceUnavailable)
        }
        #expect(transport.sent.count == 1)
    }

    @Test("too many writes at once are repeated")
    func busy() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { _, number in
            number < 3
                ? .refusal(#"{".tag":"path","path":{".tag":"too_many_write_operations"}}"#)
                : .json(#"{"metadata":{".tag":"folder","name":"new","id":"id:2"}}"#)
        }
        try await provider.create(folder: "new", at: .root)
        #expect(transport.sent.count == 4)
    }

    // MARK: Listings

    @Test("a listing whose cursor is let go of begins anew, and lists nothing twice")
    func reset() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, number in
            switch number {
            case 0, 2:
                .json(#"{"entries":[\#(DropboxJSON.file("a", id: "id:1"))],"cursor":"c\#(number)","has_more":true}"#)
            case 1: .refusal(#"{".tag":"reset"}"#)
            default:
                .json(#"{"entries":[\#(DropboxJSON.file("b", id: "id:2"))],"cursor":"c9","has_more":false}"#)
            }
        }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a", "b"])
    }

    @Test("a listing that never ends is an error")
    func endless() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(#"{"entries":[],"cursor":"same","has_more":true}"#)
        }
        let error = await #expect(throws: URLError.self) { try await provider.contentsOfDirectory(path: .root) }
        #expect(error?.code == .cannotParseResponse)
    }

    @Test("entries of unknown kinds are passed over")
    func unknownKind() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { _, _ in
            .json(
                #"{"entries":[{".tag":"hologram","name":"x"},\#(DropboxJSON.file("a"))],"cursor":"c","has_more":false}"#
            )
        }
        #expect(try await provider.contentsOfDirectory(path: .root).map(\.name) == ["a"])
    }

    // MARK: Reading

    @Test("a document without a content of its own is exported")
    func export() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/download"
                ? .refusal(#"{".tag":"unsupported_file"}"#)
                : .init(
                    fields: [
                        .dropboxResult:
                            #"{"export_metadata":{"name":"Doc.html","size":4},"file_metadata":{"name":"Doc"}}"#
                    ],
                    body: "<p/>"
                )
        }
        #expect(try await provider.contents(path: "/Doc.paper", offset: 1, length: 2) == Data("p/".utf8))
        #expect(transport.sent.map(\.route) == ["files/download", "files/export"])
    }
}
