public import FerryCore

extension WebDAVProvider {
    /// What the server can do, as far as is known: little before ``discover(probing:)``, or the first write, has asked.
    public var capabilities: FileProviderCapabilities { connection.capabilities }
}
