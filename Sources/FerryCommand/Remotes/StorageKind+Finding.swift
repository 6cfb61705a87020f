import FerryCore
import Foundation

extension StorageKind {
    /// The kinds that a remote can be.
    static var ofRemotes: [StorageKind] { all.filter { !$0.needsNoConfiguration } }

    /// The types that a remote can be of.
    static var typeNames: [String] { ofRemotes.map(\.type) }

    /// The kind of a type.
    ///
    /// - Parameter type: The identifier in configurations.
    /// - Returns: The kind.
    /// - Throws: `CocoaError` that names those that there are.
    static func named(_ type: String) throws -> StorageKind {
        if let kind = ofRemotes.first(where: { $0.type == type }) { return kind }
        throw CocoaError.location(
            type,
            "this ferry knows no storage of this type",
            "it knows: " + typeNames.joined(separator: ", ")
        )
    }

    /// The kind of storage that a URL with nothing else leads to.
    ///
    /// - Parameter scheme: The part before `://`, in lower case.
    /// - Returns: `nil` for a scheme that no storage has.
    static func ofScheme(_ scheme: String) -> StorageKind? {
        ofRemotes.first { $0.addressing?.scheme(scheme) != nil }
    }

    /// The storage that has this name without anybody having made a remote of it.
    ///
    /// - Parameter name: The name before the colon.
    /// - Returns: `nil` if there is none.
    static func builtIn(_ name: String) -> StorageKind? {
        all.first { $0.needsNoConfiguration && $0.type == name }
    }

    /// Opens the storage that a configuration describes.
    ///
    /// - Parameters:
    ///   - configuration: Its type and place.
    ///   - opening: The surroundings.
    /// - Returns: The provider.
    /// - Throws: `CocoaError` for a type that this version does not know; errors of the provider.
    static func open(
        _ configuration: ProviderConfiguration,
        _ opening: StorageOpening
    ) async throws -> any FileProviderBasic {
        try await named(configuration.type).open(configuration, opening)
    }

    /// The options that a provider writes down itself.
    var learnedOptions: Set<String> { Set(options.filter(\.isLearned).map(\.name)) }
}

extension ProviderConfiguration {
    /// The kind of storage that it describes; `nil` if this version does not know it.
    var kind: StorageKind? { StorageKind.ofRemotes.first { $0.type == type } }

    /// The login by OAuth 2 that it describes; `nil` if it logs in otherwise.
    var oauth2: StorageOAuth2? { kind?.oauth2.flatMap { $0.isChosen(by: options) ? $0 : nil } }

    /// Returns whether a secret for another configuration goes to the same servers and the same app by this one.
    ///
    /// - Parameter other: The other configuration.
    /// - Returns: `true` if account, URLs and app are the same.
    func leadsWhere(_ other: ProviderConfiguration) -> Bool {
        func places(_ configuration: ProviderConfiguration) -> [String: String] {
            let names = Set(configuration.kind?.options.filter { $0.value == .url }.map(\.name) ?? [])
            let client = configuration.kind?.oauth2?.option("client-id")
            return configuration.options.filter { names.contains($0.key) || $0.key == client }
        }
        return account == other.account && places(self) == places(other)
    }

    /// Returns the configuration with all that its provider has learned from the server.
    ///
    /// Defaults of the program stay out of it: they may be others the next time.
    ///
    /// - Parameter provider: The provider that was made of it.
    /// - Returns: The configuration to write down; URL and options are as the provider writes them.
    func described(by provider: any FileProviderBasic) -> ProviderConfiguration {
        guard var described = (provider as? any ConfigurableFileProvider)?.configuration else { return self }
        let learned = kind?.learnedOptions ?? []
        described.user = user ?? described.user
        described.options = described.options.filter { options[$0.key] != nil || learned.contains($0.key) }
        return described
    }
}
