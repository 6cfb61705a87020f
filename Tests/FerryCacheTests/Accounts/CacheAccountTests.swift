import FerryCore
import FerryMemory
import FerryWebDAV
import Foundation
import Testing

@testable import FerryCache

@Suite("An account of the cache")
struct CacheAccountTests {
    @Test("is told by the user, and without a name by the token, which is not in it")
    func tokens() throws {
        let alice = try account(FileProviderCredential(user: "alice", secret: .password("one")))
        #expect(try alice == account(FileProviderCredential(user: "alice", secret: .password("other"))))
        #expect(try alice != account(FileProviderCredential(user: "bob", secret: .password("one"))))
        #expect(try alice != account(nil))

        let first = try account(FileProviderCredential(user: nil, secret: .token("first-secret")))
        #expect(try first == account(FileProviderCredential(user: nil, secret: .token("first-secret"))))
        #expect(try first != account(FileProviderCredential(user: nil, secret: .token("second-secret"))))
        #expect(!first.key.contains("first-secret"))
    }

    @Test("stays the same when an OAuth 2 token is renewed, as long as it can be renewed by the same")
    func oauth() throws {
        func account(_ access: String, _ refresh: String?) throws -> CacheAccount {
            let token = OAuth2Token(accessToken: access, refreshToken: refresh)
            return try self.account(FileProviderCredential(user: nil, secret: .oauth(token)))
        }
        #expect(try account("one", "renewing") == account("two", "renewing"))
        #expect(try account("one", "renewing") != account("one", "other"))
        #expect(try account("one", nil) != account("two", nil))
        #expect(try account("one", nil) == account("one", nil))
    }

    @Test("is nobody else's where a password has no user, or the storage no URL")
    func unknown() throws {
        let credential = FileProviderCredential(user: nil, secret: .password("guessable"))
        #expect(try account(credential) != account(credential))
        #expect(try account(FileProviderCredential(user: "", secret: .password("x"))) != account(nil))
        #expect(CacheAccount(of: MemoryFileProvider()) != CacheAccount(of: MemoryFileProvider()))
    }

    @Test("is another one at another base URL, whatever the names look like together")
    func places() throws {
        let credential = FileProviderCredential(user: "alice", secret: .password("one"))
        let places = [
            "https://a.example/dav/", "https://a.example/dav/b/", "https://b.example/dav/", "http://a.example/dav/",
        ]
        let accounts = try places.map { try account(credential, $0) }
        #expect(Set(accounts).count == places.count)
        #expect(
            CacheAccount(type: "a", user: "b1:c", baseURL: "d") != CacheAccount(type: "a", user: "b", baseURL: "1:cd")
        )
    }

    private func account(
        _ credential: FileProviderCredential?,
        _ place: String = "https://a.example/dav/"
    ) throws -> CacheAccount {
        let url = try #require(URL(string: place))
        return CacheAccount(of: try WebDAVFileProvider(baseURL: url, credential: credential))
    }
}
