import FerryCore
import FerryWebDAV

extension ProviderConfiguration {
    /// The same, through the proxies that the environment names: what a person expects of a program.
    var throughProxies: ProviderConfiguration {
        var configuration = self
        if configuration.options[WebDAVOptions.proxyKey] == nil {
            configuration.options[WebDAVOptions.proxyKey] = "environment"
        }
        return configuration
    }
}
