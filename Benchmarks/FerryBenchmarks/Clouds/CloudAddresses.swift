import Foundation

/// The line that `ferry-cloudlab` prints when it is ready, as far as programs need it that go through its proxy.
struct CloudAddresses: Decodable {
    /// A token for an account, and the account's drive where the service has drives.
    struct Account: Decodable {
        let accessToken: String
        let refreshToken: String
        let driveID: String?
        let driveType: String?
    }

    /// The address of the proxy, which answers for the hosts of the real services.
    let proxy: String
    let dropbox: Account?
    /// The account at Microsoft Graph.
    let graph: Account?

    /// The account at a service; `nil` if the program doesn't emulate it.
    func account(_ service: CloudService) -> Account? {
        switch service {
        case .dropbox: dropbox
        case .onedrive: graph
        }
    }
}
