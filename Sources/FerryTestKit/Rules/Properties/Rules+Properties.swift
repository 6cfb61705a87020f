import FerryCore
import Foundation

extension ConformanceCheck {
    /// Rules about a provider's own description.
    static let properties: [ConformanceCheck] = [
        Self("properties.type", "a provider names its type in lower case, as its configuration does") { trial in
            let type = trial.provider.type
            trial.expect(!type.isEmpty && type == type.lowercased(), "the type is '\(type)'")
            if let configurable = trial.provider as? any ConfigurableFileProvider {
                trial.expectEqual(configurable.configuration.type, type, "the configuration's type")
            }
        },
        Self("properties.reachable", "a storage that is there is reachable") { trial in
            trial.expect(try await trial.provider.isReachable(), "isReachable() is false")
        },
        Self("properties.room", "the room on a storage is never negative, nor more free than there is") { trial in
            let volume = try await trial.provider.storageProperties()
            let numbers = [volume.totalCapacity, volume.availableCapacity, volume.usedCapacity].compactMap(\.self)
            trial.expect(numbers.allSatisfy { $0 >= 0 }, "there is a negative number in \(volume)")
            guard let total = volume.totalCapacity else { return }
            trial.expect((volume.availableCapacity ?? 0) <= total, "more is free than there is: \(volume)")
            trial.expect((volume.usedCapacity ?? 0) <= total, "more is used than there is: \(volume)")
        },
        Self("properties.root", "the root is a folder without a name, at the root") { trial in
            let root = try await trial.provider.attributesOfItem(path: .root)
            trial.expect(root.isDirectory, "the root is a \(root.type)")
            trial.expectEqual(root.path, .root, "the root's path")
            trial.expectEqual(root.name, "", "the root's name")
        },
        Self("properties.equality", "a provider equals itself, and no provider of another user") { trial in
            trial.expect(trial.provider == trial.provider, "it does not equal itself")
            let stranger = Stranger(posingAs: trial.provider)
            trial.expect(!(trial.provider == stranger), "it equals a provider of another user and type")
        },
        Self("properties.debug-description", "debugDescription tells the type, and no secret") { trial in
            let text = trial.provider.debugDescription
            trial.expect(text.contains(trial.provider.type), "the type is not in '\(text)'")
            for secret in trial.provider.secrets {
                trial.expect(!text.contains(secret), "a secret is in debugDescription")
                trial.expect(!"\(trial.provider)".contains(secret), "a secret is in the description")
            }
            trial.expect(trial.provider.baseURL?.password == nil, "a password is in baseURL")
        },
        Self(
            "properties.url-round-trip",
            "url(of:) and relativePath(of:) undo each other for every name",
            needs: [.baseURL]
        ) { trial in
            for name in AwkwardName.all.map(\.name) + ["plain.txt"] {
                let path = trial.root.appending("folder").appending(name)
                let url = try trial.require(trial.provider.url(of: path), "no URL for \(path.string.debugDescription)")
                trial.expectEqual(trial.provider.relativePath(of: url), path, "the path of '\(url)'")
            }
            // Where such an item can't be, it has no URL either; it never has another item's.
            for name in ["a/b", "..", "."] {
                let path = trial.root.appending("folder").appending(name)
                guard let url = trial.provider.url(of: path) else { continue }
                trial.expectEqual(trial.provider.relativePath(of: url), path, "the path of '\(url)'")
            }
        },
        Self("properties.url-of-root", "the root's URL leads back to the root", needs: [.baseURL]) { trial in
            let url = try trial.require(trial.provider.url(of: .root), "the root has no URL")
            trial.expectEqual(trial.provider.relativePath(of: url), .root, "the path of '\(url)'")
        },
        Self("properties.url-without-secret", "no URL holds a user or password", needs: [.baseURL]) { trial in
            let url = try trial.require(trial.provider.url(of: trial["a.txt"]), "no URL")
            trial.expect(url.user == nil && url.password == nil, "there is a user or password in '\(url)'")
            for secret in trial.provider.secrets {
                trial.expect(!url.absoluteString.contains(secret), "a secret is in a URL")
            }
        },
        Self("properties.foreign-url", "a URL of another place has no path here", needs: [.baseURL]) { trial in
            let foreign = try trial.require(URL(string: "ferry-nowhere://example.invalid/a.txt"), "not a URL")
            trial.expectEqual(trial.provider.relativePath(of: foreign), nil, "the path of '\(foreign)'")
            guard let base = trial.provider.baseURL, base.path(percentEncoded: false).count > 1 else { return }
            let above = base.deletingLastPathComponent().appendingPathComponent("ferry-elsewhere")
            trial.expectEqual(trial.provider.relativePath(of: above), nil, "the path of '\(above)'")
        },
        Self("properties.climbing-url", "a URL that climbs out of the base has no path here", needs: [.baseURL]) {
            trial in
            let base = try trial.require(trial.provider.baseURL?.absoluteString, "no base URL")
            let slash = base.hasSuffix("/") ? "" : "/"
            for climb in ["../../../../../../../../../../../etc/passwd", "%2e%2e/%2e%2e/%2e%2e/%2e%2e/%2e%2e/x"] {
                guard let url = URL(string: base + slash + climb) else { continue }
                guard let path = trial.provider.relativePath(of: url) else { continue }
                trial.expect(
                    !path.components.contains(".."),
                    "the path of '\(url)' is \(path.string.debugDescription)"
                )
            }
        },
        Self("properties.no-url-of-identifier", "a path by identifier has no URL made of its text") { trial in
            guard let url = trial.provider.url(of: ItemPath(identifier: "ferry-123")) else { return }
            trial.expect(
                trial.provider.relativePath(of: url) != "/id:ferry-123",
                "'\(url)' is the URL of an item that is named like the identifier"
            )
        },
        Self("properties.capabilities", "capabilities survive being written down and read") { trial in
            let capabilities = trial.provider.capabilities
            let data = try JSONEncoder().encode(capabilities)
            let read = try JSONDecoder().decode(FileProviderCapabilities.self, from: data)
            trial.expectEqual(read, capabilities, "the capabilities")
            trial.expect(capabilities.recommendedConcurrency > 0, "no transfer at all is recommended")
            trial.expect(capabilities.maximumNameLength.map { $0 > 0 } ?? true, "names have no room")
            trial.expect(capabilities.datePrecision.map { $0 > .zero } ?? true, "the dates' precision is not positive")
        },
        Self(
            "properties.configuration",
            "a configuration survives being written down, and holds no secret",
            needs: [.configuration]
        ) { trial in
            let configurable = trial.provider as? any ConfigurableFileProvider
            let configuration = try trial.require(configurable?.configuration, "no configuration")
            let data = try JSONEncoder().encode(configuration)
            let read = try JSONDecoder().decode(ProviderConfiguration.self, from: data)
            trial.expectEqual(read, configuration, "the configuration")
            let text = String(decoding: data, as: UTF8.self)
            for secret in trial.provider.secrets { trial.expect(!text.contains(secret), "a secret is in it") }
        },
        Self(
            "properties.restoring",
            "a provider made from a configuration shows the same storage",
            needs: [.init("a provider that can be made from a configuration") { $0 is any RestorableFileProvider }]
        ) { trial in
            let restorable = try trial.require(trial.provider as? any RestorableFileProvider, "can't be restored")
            let restored = try await restorable.restoredCopy()
            trial.expect(restored == trial.provider, "\(restored) does not equal \(trial.provider)")
        },
    ]
}

extension FileProviderBasic {
    /// Texts that must not come to light.
    fileprivate var secrets: [String] {
        switch credential?.secret {
        case .password(let secret)?, .token(let secret)?: secret.isEmpty ? [] : [secret]
        case .oauth(let token)?: [token.accessToken, token.refreshToken ?? ""].filter { !$0.isEmpty }
        case nil: []
        }
    }
}

extension RestorableFileProvider {
    fileprivate func restoredCopy() async throws -> any FileProviderBasic {
        let store = MemoryCredentialStore()
        await store.setCredential(credential, for: configuration.account)
        return try await Self(
            configuration: configuration,
            credentials: store,
            environment: FileProviderEnvironment()
        )
    }
}

/// A provider of somebody else, at the same place.
private struct Stranger: FileProviderBasic {
    static let type = "ferry-stranger"
    let baseURL: URL?
    let credential: FileProviderCredential?
    let capabilities = FileProviderCapabilities()
    let environment = FileProviderEnvironment()

    init(posingAs provider: any FileProviderBasic) {
        baseURL = provider.baseURL
        credential = FileProviderCredential(user: "ferry-stranger")
    }

    func directoryListing(path: ItemPath) -> DirectoryListing { DirectoryListing { { nil } } }
    func attributesOfItem(path: ItemPath) async throws -> FileObject { throw CocoaError.noSuchItem(path) }
    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}
