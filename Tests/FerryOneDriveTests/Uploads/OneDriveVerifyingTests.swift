import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes
import NIOCore
import Synchronization
import Testing

@testable import FerryOneDrive

@Suite("What OneDrive says that it has stored is compared with what was sent")
struct OneDriveVerifyingTests {
    private static let data = Data("hello".utf8)

    private static let hash: String = {
        let hash = OneDriveContentHash()
        hash.pass(ByteBuffer(bytes: data))
        return hash.finish()
    }()

    /// An item as an answer describes it, with what is known of its content.
    private static func item(
        size: Int? = nil,
        hash: String? = nil,
        name: String = "a.bin",
        tag: String = "c1",
        drive: String = "personal"
    ) -> ScriptedTransport.Answer {
        let size = size.map { #""size":\#($0),"# } ?? ""
        let hashes = hash.map { #"{"hashes":{"quickXorHash":"\#($0)"}}"# } ?? "{}"
        return .json(
            """
            {"id":"1","name":"\(name)",\(size)"eTag":"e-\(tag)","cTag":"\(tag)","file":\(hashes),\
            "parentReference":{"driveId":"d","driveType":"\(drive)","id":"root","path":"/drive/root:"}}
            """
        )
    }

    /// Writes a small file, and returns the requests.
    private static func write(
        to path: ItemPath = "/a.bin",
        overwrite: Bool = false,
        _ answers: @escaping @Sendable (String) -> ScriptedTransport.Answer
    ) async throws -> (file: FileObject?, error: (any Error)?, sent: [ScriptedTransport.Sent]) {
        let (provider, transport) = try OneDriveFileProvider.scripted { sent, _ in answers(sent.route) }
        do {
            let file = try await provider.writeStream(
                path: path,
                contents: DataChunks(data),
                length: Int64(data.count),
                options: WriteOptions(overwrite: overwrite)
            )
            return (file, nil, transport.sent)
        } catch {
            return (nil, error, transport.sent)
        }
    }

    @Test("an answer with size and checksum is enough")
    func complete() async throws {
        let outcome = try await Self.write { _ in Self.item(size: 5, hash: Self.hash) }
        #expect(outcome.file?.size == 5 && outcome.sent.count == 1)
    }

    @Test("where the answer lacks size or checksum, the file is asked for once, and stays", arguments: [true, false])
    func incomplete(tellsLater: Bool) async throws {
        let outcome = try await Self.write { route in
            route == "GET /me/drive/items/1" && tellsLater ? Self.item(size: 5, hash: Self.hash) : Self.item()
        }
        #expect(outcome.error == nil)
        #expect(outcome.file?.size == (tellsLater ? 5 : nil))
        #expect(outcome.sent.map(\.route).dropFirst() == ["GET /me/drive/items/1"])
    }

    @Test("a file of which an earlier process has sent some tells its checksum, so that it can be compared")
    func earlierProcess() async throws {
        let (provider, transport) = try OneDriveFileProvider.scripted { _, _ in Self.item(size: 5, hash: "sum") }
        let commit = OneDriveCommit(
            path: "/a.bin",
            address: GraphAddress(drive: "/me/drive", id: "root").appending("a.bin"),
            foreignDriveID: nil,
            options: WriteOptions()
        )
        let told = try GraphConnection.decoded(GraphItem.self, from: Data(Self.item(size: 5).body.utf8))
        let file = try await provider.verified(told, hash: nil, size: 5, commit)
        #expect(file.extras[.checksums]?[.quickXor] == "sum")
        #expect(transport.sent.map(\.route) == ["GET /me/drive/items/1"])
    }

    @Test("a passing fault of asking for the file is got over: a checksum that differs is seen all the same")
    func passingFault() async throws {
        let gets = Mutex(0)
        let outcome = try await Self.write { route in
            switch route {
            case "GET /me/drive/items/1":
                gets.withLock { count in
                    count += 1
                    return count < 3
                }
                    ? .refusal("serviceNotAvailable", status: 503) : Self.item(size: 5, hash: "other")
            case "DELETE /me/drive/items/1": ScriptedTransport.Answer(status: 204)
            default: Self.item(size: 5)
            }
        }
        #expect((outcome.error as? CocoaError)?.code == .fileWriteUnknown)
        #expect(outcome.sent.last?.route == "DELETE /me/drive/items/1")
    }

    @Test("a file that can't be asked for is not said to be right; it stays, and nothing is sent twice")
    func unverified() async throws {
        let outcome = try await Self.write { route in
            route == "GET /me/drive/items/1" ? .refusal("accessDenied", status: 403) : Self.item(size: 5)
        }
        let error = outcome.error as? CocoaError
        #expect(error?.code == .fileWriteUnknown)
        #expect((error?.underlying as? CocoaError)?.code == .fileReadNoPermission)
        #expect(outcome.sent.count == 2 && !outcome.sent.contains { $0.route.hasPrefix("DELETE") })
    }

    @Test("a checksum that comes later is compared, and a damaged file is removed only if it is still that one")
    func damaged() async throws {
        let outcome = try await Self.write { route in
            switch route {
            case "GET /me/drive/items/1": Self.item(size: 5, hash: "other")
            case "DELETE /me/drive/items/1": ScriptedTransport.Answer(status: 204)
            default: Self.item(size: 5)
            }
        }
        #expect((outcome.error as? CocoaError)?.code == .fileWriteUnknown)
        #expect(outcome.sent.last?.route == "DELETE /me/drive/items/1")
        #expect(outcome.sent.last?.head.headerFields[.ifMatch] == "e-c1")
    }

    @Test("another content that somebody wrote meanwhile is neither compared nor removed")
    func replacedMeanwhile() async throws {
        let outcome = try await Self.write { route in
            route.hasPrefix("GET") ? Self.item(size: 9, hash: "other", tag: "c2") : Self.item(size: 5)
        }
        #expect(outcome.error == nil && outcome.sent.count == 2)
    }

    @Test("in the place of a damaged file the version before it comes back, if nobody has written meanwhile")
    func restored() async throws {
        for tag in ["c1", "c2"] {
            let outcome = try await Self.write(overwrite: true) { route in
                switch route {
                case "GET /me/drive/items/1/versions": .json(#"{"value":[{"id":"2.0"},{"id":"1.0"}]}"#)
                case "POST /me/drive/items/1/versions/1.0/restoreVersion": ScriptedTransport.Answer(status: 204)
                case "GET /me/drive/items/1": Self.item(size: 5, hash: "other", tag: tag)
                default: Self.item(size: 5, hash: "other")
                }
            }
            #expect((outcome.error as? CocoaError)?.code == .fileWriteUnknown)
            let routes = outcome.sent.map(\.route)
            #expect(routes.contains { $0.hasSuffix("restoreVersion") } == (tag == "c1"))
            #expect(!routes.contains { $0.hasPrefix("DELETE") })
        }
    }

    @Test(
        "a document of an organization that differs is as it should be, but not one without contents",
        arguments: [(1_176, "business", true), (0, "business", false), (1_176, "personal", false)]
    )
    func rewritten(size: Int, drive: String, isRewritten: Bool) async throws {
        let outcome = try await Self.write(to: "/a.docx") { route in
            route.hasPrefix("DELETE")
                ? ScriptedTransport.Answer(status: 204)
                : Self.item(size: size, hash: "other", name: "a.docx", drive: drive)
        }
        #expect((outcome.file?.extras[.isRewritten] == true) == isRewritten)
        #expect((outcome.error != nil) == !isRewritten)
    }

    @Test("a session that lacks nothing has made its file, or is of no use", arguments: [true, false])
    func nothingMissing(isThere: Bool) async throws {
        let (provider, _) = try OneDriveFileProvider.scripted { sent, _ in
            if sent.route.hasSuffix("/up") { return .json(#"{"nextExpectedRanges":[]}"#) }
            return isThere ? Self.item(size: 5, hash: Self.hash) : .refusal("itemNotFound", status: 404)
        }
        let commit = OneDriveCommit(
            path: "/a.bin",
            address: GraphAddress(drive: "/me/drive", id: "root").appending("a.bin"),
            foreignDriveID: nil,
            options: WriteOptions()
        )
        let driver = OneDriveUploadDriver(provider, commit, size: 5, isStream: true) { Self.hash }
        let session = UploadSessionHandle(id: "https://graph.microsoft.com/v1.0/up")
        #expect(try await driver.acknowledged(in: session) == (isThere ? .bytes(upTo: 5) : nil))
    }
}
