public import FerryCore
import Foundation

extension LocalFileProvider: RestorableFileProvider {
    private static let synchronizesKey = "synchronizes"

    /// The description from which this provider is made again: its base folder and options.
    public var configuration: ProviderConfiguration {
        ProviderConfiguration(
            type: Self.type,
            baseURL: baseURL,
            options: synchronizes ? [Self.synchronizesKey: "true"] : [:]
        )
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - configuration: From ``configuration``, in this process or another.
    ///   - credentials: Nothing is asked of it.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.coderInvalidValue` when the configuration is of another type, or has no `file:` URL.
    public convenience init(
        configuration: ProviderConfiguration,
        credentials: any CredentialStore,
        environment: FileProviderEnvironment
    ) throws {
        let url = try configuration.url(of: Self.type, "a local folder")
        guard url.isFileURL else { throw CocoaError.misconfigured("the URL of a local folder begins with file:") }
        let synchronizes = configuration.options[Self.synchronizesKey] == "true"
        self.init(baseURL: url, synchronizes: synchronizes, environment: environment)
    }
}
