import FerryCore
import FerryWebDAV

extension ProviderConfiguration {
    /// The same, through the proxies that the environment names: what a person expects of a program on the web.
    var throughProxies: ProviderConfiguration {
        guard [RemoteKind.webdav, .nextcloud].contains(RemoteKind(rawValue: type)) else { return self }
        var configuration = self
        if configuration.options[WebDAVOptions.proxyKey] == nil {
            configuration.options[WebDAVOptions.proxyKey] = "environment"
        }
        return configuration
    }
}
