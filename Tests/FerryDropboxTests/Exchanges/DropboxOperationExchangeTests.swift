import FerryCore
import Foundation
import Synchronization
import Testing

@testable import FerryDropbox

@Suite("Exchanges of moves, copies, jobs and removals")
struct DropboxOperationExchangeTests {
    // MARK: Moves

    @Test("another spelling of a name goes by way of a temporary name, and back if that fails")
    func respelling() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, number in
            if sent.route == "files/get_metadata" { return .json(DropboxJSON.file("a.txt")) }
            if number == 2 { return .refusal(#"{".tag":"to","to":{".tag":"no_write_permission"}}"#) }
            return .json(#"{"metadata":\#(DropboxJSON.file("a.txt"))}"#)
        }
        let error = await #expect(throws: CocoaError.self) {
            try await provider.moveItem(path: "/a.txt", to: "/A.txt")
        }
        #expect(error?.code == .fileWriteNoPermission)
        #expect(transport.sent.map(\.route).suffix(3) == ["files/move_v2", "files/move_v2", "files/move_v2"])
        #expect(transport.sent.last?.argument.contains(#""to_path":"\/a.txt""#) == true)
    }

    @Test("a file that could not be replaced comes back")
    func replacing() async throws {
        let isRemoved = Mutex(false)
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/delete_v2":
                isRemoved.withLock { $0 = true }
                return .json("{}")
            case "files/get_metadata" where sent.argument.contains("b.txt"):
                if isRemoved.withLock({ $0 }) { return .missing }
                return .json(DropboxJSON.file("b.txt", id: "id:2", rev: "015f00000002"))
            case "files/get_metadata": return .json(DropboxJSON.file("a.txt"))
            case "files/move_v2": return .refusal(#"{".tag":"from_write","from_write":{".tag":"no_write_permission"}}"#)
            default: return .json("{}")
            }
        }
        await #expect(throws: CocoaError.self) {
            try await provider.moveItem(path: "/a.txt", to: "/b.txt", overwrite: true)
        }
        let removal = transport.sent.first { $0.route == "files/delete_v2" }
        #expect(removal?.argument.contains(#""parent_rev":"015f00000002""#) == true)
        #expect(transport.sent.last?.route == "files/restore")
        #expect(transport.sent.last?.argument.contains(#""rev":"015f00000002""#) == true)
    }

    // MARK: Jobs

    @Test("a job is asked about until it has ended")
    func job() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, number in
            switch sent.route {
            case "files/save_url": .json(#"{".tag":"async_job_id","async_job_id":"j"}"#)
            case "files/get_metadata": .missing
            default:
                number < 4
                    ? .json(#"{".tag":"in_progress"}"#)
                    : .json(DropboxJSON.file("a.txt").replacing(#"".tag":"file""#, with: #"".tag":"complete""#))
            }
        }
        let url = try #require(URL(string: "https://example.com/a.txt"))
        let file = try await provider.copyItem(remoteURL: url, to: "/a.txt")
        #expect(file.name == "a.txt")
        #expect(transport.sent.map(\.route).suffix(3).allSatisfy { $0 == "files/save_url/check_job_status" })
    }

    @Test("a folder's job that Dropbox is always too busy for is begun eight times, not eight times eight")
    func alwaysBusy() async throws {
        let (provider, transport) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/get_metadata" where sent.argument.contains("new"): .missing
            case "files/get_metadata":
                .json(#"{".tag":"folder","name":"old","id":"id:1","path_lower":"/old","path_display":"/old"}"#)
            case "files/copy_batch_v2": .refusal(#"{".tag":"too_many_write_operations"}"#)
            default: .json("{}")
            }
        }
        await #expect(throws: (any Error).self) {
            try await provider.copyItem(path: "/old", keepingBothAt: "/new", reporting: nil)
        }
        #expect(transport.sent.count { $0.route == "files/copy_batch_v2" } == 8)
    }

    // MARK: Trash

    @Test("a deleted path without a revision is no folder, unless something was in it")
    func expiredFile() async throws {
        func deleted(_ path: String) -> String {
            let name = path.split(separator: "/").last ?? ""
            return #"{".tag":"deleted","name":"\#(name)","path_lower":"\#(path)","path_display":"\#(path)"}"#
        }
        let entries = ["/old.txt", "/folder", "/folder/b.txt"].map(deleted).joined(separator: ",")
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            switch sent.route {
            case "files/list_folder": .json(#"{"entries":[\#(entries)],"cursor":"c","has_more":false}"#)
            default: .missing
            }
        }
        let items = try await provider.trashedItems()
        #expect(items.map(\.originalPath) == ["/folder"] && items.first?.item.isDirectory == true)
    }

    @Test("a revoked login is one also while the trash is emptied")
    func revoked() async throws {
        let (provider, _) = try DropboxFileProvider.scripted { sent, _ in
            sent.route == "files/permanently_delete"
                ? .json(#"{"error_summary":"..","error":{".tag":"invalid_access_token"}}"#, status: 401) : .missing
        }
        let item = TrashedItem(id: "rev:015f00000001", item: FileObject(path: "/a.txt", type: .file), deletionDate: nil)
        let error = await #expect(throws: (any Error).self) { try await provider.emptyTrash([item]) }
        #expect((error as? URLError)?.code == .userAuthenticationRequired, "\(String(describing: error))")
    }
}
