// The abilities that are about a server and not about its files, passed on.

extension FileProviderWrapper where Base: FileProviderTheming {
    /// Passes the call.
    public func theme() async throws -> ServerTheme {
        try await pass(FileProviderCall(.theme)) { try await base.theme() }
    }
}

extension FileProviderWrapper where Base: FileProviderServerDescribing {
    /// The base's.
    public var hasTriedServer: Bool { base.hasTriedServer }

    /// Passes the call.
    public func describeServer() async throws -> ServerDescription {
        try await pass(FileProviderCall(.describeServer, isIdempotent: true)) { try await base.describeServer() }
    }
}

extension FileProviderWrapper where Base: FileProviderLoginRevoking {
    /// Passes the call, which can't be repeated: after a lost answer the login is gone.
    public func revokeLogin() async throws {
        try await pass(FileProviderCall(.revokeLogin, isIdempotent: false)) { try await base.revokeLogin() }
    }
}

extension FileProviderWrapper where Self: FileProviderLearning, Base: FileProviderLearning {
    /// The base's.
    package func learnAboutServer() async throws { try await base.learnAboutServer() }

    /// The base's.
    package func learnAboutDotNames() async throws { try await base.learnAboutDotNames() }
}

extension FileProviderWrapper where Base: FileProviderNameFolding {
    /// Passes the call.
    package func isSameItem(_ path: ItemPath, _ other: ItemPath) async throws -> Bool {
        try await pass(FileProviderCall(.isSameItem, path: path, target: other)) {
            try await base.isSameItem(path, other)
        }
    }
}
