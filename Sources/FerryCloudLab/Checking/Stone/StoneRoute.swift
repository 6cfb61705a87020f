/// An operation in a description.
struct StoneRoute: Sendable {
    /// The name with its namespace and version as in the path of a request: `files/search_v2`.
    var name: String
    var argument: StoneType
    var result: StoneType
    var error: StoneType
    var attributes: [String: String] = [:]
    var isDeprecated = false

    /// The endpoint that is called: `api`, `content` or `notify`.
    var host: String { attributes["host"] ?? "api" }
    /// The place of the argument and result: `rpc`, `upload` or `download`.
    var style: String { attributes["style"] ?? "rpc" }
    /// The kinds of credential that are accepted, such as `user`; `noauth` for none.
    var credentials: [String] { (attributes["auth"] ?? "user").split { $0 == "," || $0 == " " }.map(String.init) }
}
