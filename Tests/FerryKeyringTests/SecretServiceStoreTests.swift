import FerryCore
import FerryKeyring
import FerryTestServers
import Foundation
import Testing

@Suite("The desktop's keyring")
struct SecretServiceStoreTests {
    @Test("keeps secrets of every kind for the next store, replaces and forgets them")
    func keeps() async throws {
        try await KeyringOnABus.with { address in
            let store = SecretServiceStore(address: address)
            #expect(await store.isAvailable)
            let token = OAuth2Token(accessToken: "a", refreshToken: "r", expires: Date(timeIntervalSince1970: 1e9))
            let credentials = [
                FileProviderCredential(user: "ann", secret: .password("p\u{e9}\"\\\u{0}")),
                FileProviderCredential(user: nil, secret: .token("t")),
                FileProviderCredential(user: "ann", secret: .oauth(token)),
                FileProviderCredential(user: "", secret: nil),
            ]
            for credential in credentials {
                try await store.setCredential(credential, for: "webdav https://h/ \u{e4}nn")
                let other = SecretServiceStore(address: address)
                #expect(try await other.credential(for: "webdav https://h/ \u{e4}nn") == credential)
            }
            #expect(try await store.credential(for: "webdav https://h/") == nil)
            try await store.setCredential(credentials[0], for: "other")
            try await store.setCredential(nil, for: "webdav https://h/ \u{e4}nn")
            try await store.setCredential(nil, for: "never kept")
            #expect(try await store.credential(for: "webdav https://h/ \u{e4}nn") == nil)
            #expect(try await store.credential(for: "other") == credentials[0])
        }
    }

    @Test("loses none of many that come at the same time")
    func concurrent() async throws {
        try await KeyringOnABus.with { address in
            let store = SecretServiceStore(address: address)
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
    }

    @Test("that nobody unlocks is an error that says so")
    func locked() async throws {
        try await KeyringOnABus.with(isUnlocked: false) { address in
            let store = SecretServiceStore(address: address)
            let error = await #expect(throws: CocoaError.self) {
                try await store.setCredential(FileProviderCredential(user: "ann", secret: .token("SECRET")), for: "a")
            }
            #expect(error?.code == .fileWriteNoPermission)
            #expect(!String(describing: error).contains("SECRET"))
        }
    }

    @Test(
        "that isn't there is an error, not an empty one",
        arguments: [nil, "", "unix:path=/nonexistent/bus", "nonsense"]
    )
    func missing(address: String?) async throws {
        let store = SecretServiceStore(address: address)
        #expect(await !store.isAvailable)
        let error = await #expect(throws: CocoaError.self) { try await store.credential(for: "a") }
        #expect(error?.code == .featureUnsupported)
    }
}
