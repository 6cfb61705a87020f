public import FerryCore

extension WebDAVProvider {
    /// What the server can do, as far as is known: little before ``discover(probing:)``, or the first write, has asked.
    public var capabilities: FileProviderCapabilities { connection.capabilities }
}

extension WebDAVConnection {
    /// What the server can do, as far as is known.
    package var capabilities: FileProviderCapabilities {
        let facts = facts
        return WebDAVTraits(facts).capabilities(isKnown: facts.complianceClasses != nil, hasLocks: facts.hasLocks)
    }
}
