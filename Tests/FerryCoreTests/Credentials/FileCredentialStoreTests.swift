import FerryCore
import Foundation
import Testing

@Suite("A file of secrets")
final class FileCredentialStoreTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "ferry-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "deep/secrets.json") }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func mode() throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path())[.posixPermissions] as? Int
    }

    @Test("keeps them for the next store, readable for nobody else, and leaves nothing beside it")
    func keeps() async throws {
        let credential = FileProviderCredential(user: "ann", secret: .password("p\u{e9}\"\\"))
        try await FileCredentialStore(url: file).setCredential(credential, for: "a")
        #expect(try await FileCredentialStore(url: file).credential(for: "a") == credential)
        #expect(try await FileCredentialStore(url: file).credential(for: "b") == nil)
        #expect(try mode() == 0o600)
        try await FileCredentialStore(url: file).setCredential(nil, for: "a")
        #expect(try await FileCredentialStore(url: file).credential(for: "a") == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path())
        #expect(names == ["secrets.json"])
    }

    @Test("keeps the tokens of OAuth 2, and shows nothing of them")
    func tokens() async throws {
        let token = OAuth2Token(
            accessToken: "SECRET1",
            refreshToken: "SECRET2",
            expires: Date(timeIntervalSince1970: 1_795_215_972),
            scope: "files"
        )
        let credential = FileProviderCredential(user: "ann", secret: .oauth(token))
        try await FileCredentialStore(url: file).setCredential(credential, for: "a")
        #expect(try await FileCredentialStore(url: file).credential(for: "a") == credential)
        var dumped = ""
        dump(token, to: &dumped)
        dump(credential, to: &dumped)
        #expect(!"\(token) \(String(reflecting: token)) \(credential) \(dumped)".contains("SECRET"))
    }

    @Test("reads what older versions have written")
    func olderFile() async throws {
        let store = FileCredentialStore(url: file)
        try await store.setCredential(nil, for: "a")
        try Data(#"{"a":{"user":"ann","password":"p"},"b":{"token":"t"}}"#.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        #expect(try await store.credential(for: "a") == FileProviderCredential(user: "ann", secret: .password("p")))
        #expect(try await store.credential(for: "b")?.secret == .token("t"))
    }

    @Test("loses none of many that come at the same time")
    func concurrent() async throws {
        let store = FileCredentialStore(url: file)
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask {
                    let credential = FileProviderCredential(user: nil, secret: .token("\(number)"))
                    try await store.setCredential(credential, for: "\(number)")
                }
            }
            try await group.waitForAll()
        }
        for number in 0..<20 {
            #expect(try await store.credential(for: "\(number)")?.secret == .token("\(number)"))
        }
    }

    @Test("that others can read, or that is none, is an error and stays as it is")
    func refuses() async throws {
        let store = FileCredentialStore(url: file)
        try await store.setCredential(FileProviderCredential(user: "ann"), for: "a")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path())
        var error = await #expect(throws: CocoaError.self) { try await store.credential(for: "a") }
        #expect(error?.code == .fileReadNoPermission)
        try Data("hunter2".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        error = await #expect(throws: CocoaError.self) {
            try await store.setCredential(FileProviderCredential(user: "bob"), for: "b")
        }
        #expect(error?.code == .fileReadCorruptFile)
        #expect(try Data(contentsOf: file) == Data("hunter2".utf8))
    }
}
