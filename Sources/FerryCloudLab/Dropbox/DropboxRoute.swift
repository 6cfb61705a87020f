/// An operation of the API.
struct DropboxRoute: Sendable {
    enum Style: Sendable { case rpc, upload, download }

    let endpoint: String
    let style: Style
    let scope: String?
    /// The form of the argument; `nil` for none.
    let shape: DropboxShape?
    let handle: @Sendable (DropboxCall) async throws -> DropboxResult

    init(
        _ endpoint: String = "api",
        style: Style = .rpc,
        scope: String?,
        _ shape: DropboxShape?,
        _ handle: @escaping @Sendable (DropboxCall) async throws -> DropboxResult
    ) {
        self.endpoint = endpoint
        self.style = style
        self.scope = scope
        self.shape = shape
        self.handle = handle
    }

    static let allScopes: Set<String> = [
        "account_info.read", "files.metadata.read", "files.metadata.write", "files.content.read",
        "files.content.write", "sharing.read", "sharing.write",
    ]
}
