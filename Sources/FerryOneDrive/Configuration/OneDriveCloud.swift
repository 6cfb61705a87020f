/// A cloud of Microsoft's: most accounts are in the global one, some states have their own.
///
/// See <https://learn.microsoft.com/graph/deployments>.
public enum OneDriveCloud: String, Sendable, Hashable, CaseIterable {
    /// The cloud of most accounts.
    case global
    /// Microsoft Cloud for US Government (L4).
    case us
    /// Microsoft Cloud for US Government (L5, Department of Defense).
    case usDoD = "us-dod"
    /// Microsoft Cloud China, operated by 21Vianet.
    case china

    /// The origin of Microsoft Graph.
    var graphOrigin: String {
        switch self {
        case .global: "https://graph.microsoft.com"
        case .us: "https://graph.microsoft.us"
        case .usDoD: "https://dod-graph.microsoft.us"
        case .china: "https://microsoftgraph.chinacloudapi.cn"
        }
    }

    /// The origin of the login.
    var loginOrigin: String {
        switch self {
        case .global: "https://login.microsoftonline.com"
        case .us, .usDoD: "https://login.microsoftonline.us"
        case .china: "https://login.chinacloudapi.cn"
        }
    }
}
