import FerryCore
import FerryTestServers
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import FerryDropbox

@Suite("Exchanges about what others share at Dropbox")
struct DropboxSharedExchangeTests {
    @Test("what is shared is listed, mounted or not")
    func sharedItems() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "sharing/list_folders":
                .json(#"{"entries":[{"shared_folder_id":"1","name":"In","path_lower":"/in"}],"cursor":"c"}"#)
            case "sharing/list_folders/continue":
                .json(#"{"entries":[{"shared_folder_id":"2","name":"Out"}]}"#)
            case "sharing/list_received_files":
                .json(#"{"entries":[{"id":"id:abc","name":"a.txt","preview_url":"https://www.dropbox.com/fi/abc"}]}"#)
            default: .refusal(#"{".tag":"already_mounted"}"#)
            }
        }
        let folders = try await provider.sharedFolders()
        #expect(folders.map(\.path) == ["/in", nil])
        #expect(try await provider.receivedFiles().map(\.path) == [ItemPath(identifier: "abc")])
        let error = await #expect(throws: CocoaError.self) { try await provider.mount(folders[0]) }
        #expect(error?.code == .fileWriteFileExists)
    }

    @Test(
        "a name that another folder has got leads to that one after a minute, and at once if the first is gone",
        arguments: [true, false]
    )
    func renamed(isGone: Bool) async throws {
        let clock = InstantClock()
        let number = Mutex(1)
        let (account, transport) = try DropboxFileProvider.scripted(clock: clock) { sent, _ in
            let current = number.withLock { $0 }
            if sent.route == "sharing/list_folders" {
                return .json(
                    """
                    {"entries":[{"shared_folder_id":"\(current)","name":"Plans","access_type":{".tag":"editor"}}]}
                    """
                )
            }
            let root = sent.head.headerFields[.known("Dropbox-API-Path-Root")] ?? ""
            return root.contains(#""\#(current)""#)
                ? .json(DropboxJSON.file("a.txt"))
                : .json(#"{"error_summary":"","error":{".tag":"no_permission"}}"#, status: 422)
        }
        let shared = DropboxSharedFileProvider(account)
        for _ in 0..<2 { _ = try await shared.attributesOfItem(path: "/Plans/a.txt") }
        #expect(transport.sent.filter { $0.route == "sharing/list_folders" }.count == 1)
        number.withLock { $0 = 2 }
        if isGone {
            let error = await #expect(throws: CocoaError.self) {
                try await shared.attributesOfItem(path: "/Plans/a.txt")
            }
            #expect(error?.code == .fileReadNoPermission)
            #expect(error?.reasonInWords == "the folder is no longer shared with you")
        } else {
            try await clock.sleep(for: .seconds(61))
        }
        #expect(try await shared.attributesOfItem(path: "/Plans/a.txt").path == "/Plans/a.txt")
        #expect(transport.sent.filter { $0.route == "sharing/list_folders" }.count == 2)
    }

    @Test(
        "a shared file whose page may not be looked at is shown, one that is gone is not, and a failure is one",
        arguments: ["shared_link_access_denied", "unsupported_link_type", "shared_link_not_found", "other"]
    )
    func page(tag: String) async throws {
        let (account, _) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "sharing/list_received_files"
                ? .json(#"{"entries":[{"name":"a.txt","id":"id:1","preview_url":"https://www.dropbox.com/scl/fi/1"}]}"#)
                : .refusal(#"{".tag":"\#(tag)"}"#)
        }
        let shared = DropboxSharedFileProvider(account, folders: false, files: true)
        switch tag {
        case "shared_link_not_found":
            let error = await #expect(throws: CocoaError.self) { try await shared.attributesOfItem(path: "/a.txt") }
            #expect(error?.code == .fileNoSuchFile)
            let items = try await shared.contentsOfDirectory(path: .root)
            #expect(items.isEmpty)
        case "other":
            await #expect { try await shared.attributesOfItem(path: "/a.txt") } throws: { !$0.isNoSuchItem }
            await #expect(throws: (any Error).self) { try await shared.contentsOfDirectory(path: .root) }
        default:
            let item = try await shared.attributesOfItem(path: "/a.txt")
            #expect(item.size == nil && item.isReadOnly == true)
            #expect(try await shared.contentsOfDirectory(path: .root).map(\.path) == ["/a.txt"])
        }
    }
}
