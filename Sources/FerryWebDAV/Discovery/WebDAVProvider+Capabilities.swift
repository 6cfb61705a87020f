public import FerryCore

extension WebDAVProvider {
    /// The server's abilities, as far as known: few before ``discover(probing:)``, or the first write, has asked.
    public var capabilities: FileProviderCapabilities { connection.capabilities }
}
