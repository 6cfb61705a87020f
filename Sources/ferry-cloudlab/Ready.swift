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

    let url: URL
    let dropbox: Dropbox
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
    }
}
