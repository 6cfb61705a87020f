import FerryCore
import Foundation
import Testing

@testable import FerryCommand

@Suite("Kinds of storages are registered in one place")
struct RegistryTests {
    /// The folder of the command's sources.
    private static var sources: URL {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.appending(path: "Sources/FerryCommand")
    }

    /// Names of providers, their targets and their types, in any spelling.
    private static let names = [
        "webdav", "nextcloud", "owncloud", "yandex", "ftp", "dropbox", "onedrive", "localfileprovider", "ferrylocal",
        "memoryfileprovider", "ferrymemory",
    ]

    @Test("no file of the command names a provider, but the list and the folders that are about one")
    func oneList() throws {
        let folder = Self.sources
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var read = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            let path = String(file.path.dropFirst(folder.path.count + 1))
            if path.hasPrefix("Local/") || path.hasPrefix("Demo/") || path == "Remotes/StorageKind+All.swift" {
                continue
            }
            let text = try String(contentsOf: file, encoding: .utf8).lowercased()
            read += 1
            for name in Self.names { #expect(!text.contains(name), "\(path) names \(name)") }
        }
        #expect(read > 100)
    }

    @Test("types, schemes and options are unique, and examples are of their kind")
    func consistency() {
        let kinds = StorageKind.all
        #expect(Set(kinds.map(\.type)).count == kinds.count)
        for kind in kinds {
            #expect(Set(kind.options.map(\.name)).count == kind.options.count, "\(kind.type)")
            for scheme in kind.addressing?.schemes ?? [] {
                #expect(StorageKind.ofScheme(scheme.written) != nil, "\(scheme)")
            }
            for example in kind.examples {
                #expect(example.contains(" --type \(kind.type)"), "\(example)")
            }
        }
    }

    /// A value that an option can have.
    private static func value(of option: StorageOption) throws -> String {
        switch (option.name, option.value) {
        case ("encoding", _): return "iso-8859-1"
        case ("fingerprint", _): return "SHA256:abc"
        case ("path-root", _): return "team"
        case ("search-index", _): return "false"
        case ("chmod", _): return "640"
        case ("chown", _): return "1000:1000"
        case ("proxy", .url): return "socks5h://127.0.0.1:9"
        default: break
        }
        switch option.value {
        case .text: return "text"
        case .flag: return "true"
        case .number(let range): return String(range.upperBound)
        case .seconds: return "7"
        case .choice(let words): return words.last ?? ""
        case .file, .files, .program, .secretFile: return "/dev/null"
        case .url: return "https://example.org/x"
        }
    }

    @Test("each listed option is one that the provider keeps, and no value of another sort is accepted")
    func options() async throws {
        for kind in StorageKind.ofRemotes where !kind.asksWhenOpened {
            for option in kind.options where !option.isLearned && !option.isSecret {
                // A file of certificates that is none keeps the provider from being made; chains are tested elsewhere.
                if option.value == .file, kind.oauth2 != nil { continue }
                var options = [option.name: try Self.value(of: option)]
                if let oauth = kind.oauth2,
                    option.name.hasPrefix(oauth.optionPrefix) || option.name == oauth.selector?.option
                {
                    options[oauth.selector?.option ?? ""] = oauth.selector?.value
                    options[oauth.option("token-url")] = "https://example.org/token"
                    options[oauth.option("client-id")] = "app"
                }
                let url = try kind.addressing.map { try #require(URL(string: "\($0.schemes[0].url)://localhost/")) }
                let configuration = ProviderConfiguration(type: kind.type, baseURL: url, options: options)
                try kind.check(options)
                let provider = try await kind.open(configuration, StorageOpening())
                let kept = try #require(provider as? any ConfigurableFileProvider).configuration.options
                #expect(kept[option.name] != nil, "\(kind.type) \(option.name)")
                await (provider as? any FileProviderBasicRemote)?.invalidate()
                switch option.value {
                case .text, .file, .files, .program, .secretFile: continue
                case .flag, .number, .seconds, .choice, .url:
                    #expect(throws: CocoaError.self) { try kind.check([option.name: "no such value"]) }
                }
            }
            #expect(throws: CocoaError.self) { try kind.check(["colour": "red"]) }
        }
    }
}
