import FerryCore
import FerryMemory
import Foundation
import Testing

@Suite("Secrets")
struct SecretTests {
    @Test("show up in no description, dump or configuration")
    func redacted() throws {
        let credential = FileProviderCredential(user: "ann", secret: .password("hunter2"))
        var text = "\(credential) \(credential.debugDescription) \(String(reflecting: credential))"
        dump(credential, to: &text)
        dump([FileProviderCredential.Secret.token("hunter2")], to: &text)
        #expect(!text.contains("hunter2"))
        #expect(text.contains("ann"))
        let url = try #require(URL(string: "https://ann:hunter2@example.org/files/"))
        let configuration = ProviderConfiguration(type: "webdav", baseURL: url, user: "ann")
        let json = String(decoding: try JSONEncoder().encode(configuration), as: UTF8.self)
        #expect(!json.contains("hunter2"))
        let smuggled = #"{"type":"webdav","baseURL":"https://ann:hunter2@example.org/"}"#
        let read = try JSONDecoder().decode(ProviderConfiguration.self, from: Data(smuggled.utf8))
        #expect(read.baseURL?.password == nil)
    }

    @Test("are kept by account, and forgotten on request")
    func memoryStore() async {
        let store = MemoryCredentialStore()
        let credential = FileProviderCredential(user: "ann", secret: .token("t"))
        await store.setCredential(credential, for: "a")
        #expect(await store.credential(for: "a") == credential)
        #expect(await store.credential(for: "b") == nil)
        await store.setCredential(nil, for: "a")
        #expect(await store.credential(for: "a") == nil)
    }
}
