import Foundation

/// A call whose form is right and whose token is good.
struct DropboxCall: Sendable {
    let lab: DropboxLab
    let account: DropboxAccount
    let scope: DropboxScope
    let settings: DropboxSettings
    let arguments: JSONValue
    let request: LabRequest

    /// The date that the clock shows.
    var now: Date { lab.clock.now }
    var storage: CloudStorage { account.storage }
    /// The misbehaviour that the route is to show.
    var fault: Fault? { request.fault }

    /// Returns a text argument; the check of the form has made sure that a required one is there.
    func text(_ name: String) -> String { arguments[name]?.string ?? "" }

    /// Returns a Boolean argument.
    func flag(_ name: String, default value: Bool = false) -> Bool { arguments[name]?.bool ?? value }
}

/// A result of a call.
enum DropboxResult: Sendable {
    case json(JSONValue)
    /// A file: what describes it goes into a header.
    case download(JSONValue, CloudContent, version: Int)
}

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
