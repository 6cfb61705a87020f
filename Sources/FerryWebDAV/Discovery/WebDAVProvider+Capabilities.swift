public import FerryCore

extension WebDAVProvider {
    /// What the server can do, as far as is known.
    public var capabilities: FileProviderCapabilities { FileProviderCapabilities() }
}
