import FerryCloudLab
import Foundation

/// The line that the program prints when it is ready.
struct Ready: Encodable {
    /// The addresses of the emulated Dropbox, and tokens for it.
    struct Dropbox: Encodable {
        let api: URL
        let content: URL
        let notify: URL
        let authorization: URL
        let token: URL
        let accessToken: String
        let refreshToken: String
    }

    /// The addresses of the emulated Microsoft Graph, tokens for it, and the first account's drive.
    struct Graph: Encodable {
        let api: URL
        let content: URL
        let authorization: URL
        let token: URL
        let deviceCode: URL
        let accessToken: String
        let refreshToken: String
        let driveID: String
        let driveType: GraphDriveType
    }

    let url: URL
    let dropbox: Dropbox
    let graph: Graph
    /// The address of the proxy, if there is one.
    var proxy: URL?

    init(_ lab: CloudLab) {
        url = lab.url
        dropbox = Dropbox(
            api: lab.dropbox.apiURL,
            content: lab.dropbox.contentURL,
            notify: lab.dropbox.notifyURL,
            authorization: lab.dropbox.authorizationURL,
            token: lab.dropbox.tokenURL,
            accessToken: lab.dropbox.makeAccessToken(),
            refreshToken: lab.dropbox.makeRefreshToken()
        )
        graph = Graph(
            api: lab.graph.graphURL,
            content: lab.graph.contentURL,
            authorization: lab.graph.authorizationURL,
            token: lab.graph.tokenURL,
            deviceCode: lab.graph.deviceCodeURL,
            accessToken: lab.graph.makeAccessToken(),
            refreshToken: lab.graph.makeRefreshToken(),
            driveID: lab.graph.account.driveID,
            driveType: lab.graph.account.driveType
        )
    }
}
