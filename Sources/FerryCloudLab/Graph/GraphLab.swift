public import Foundation
import Synchronization

/// An emulated Microsoft Graph with OneDrive and SharePoint: version 1.0, OAuth 2 and pre-authorised addresses.
public final class GraphLab: Sendable {
    struct State {
        var settings = GraphSettings()
        var accounts: [GraphAccount] = []
        var sites: [GraphSite] = []
        var generator = SeededGenerator(seed: 0x3365)
        var accessTokens: [String: GraphAccessToken] = [:]
        var refreshTokens: [String: GraphRefreshToken] = [:]
        var codes: [String: GraphCode] = [:]
        var deviceCodes: [String: GraphDeviceCode] = [:]
        var grants: [GraphGrant] = []
        var permissions: [String: GraphPermission] = [:]
        var sessions: [String: GraphSession] = [:]
        var jobs: [String: GraphJob] = [:]
        var lists = GraphLists()
        /// The number of times that change feeds were reset.
        var epoch = 0
    }

    let clock: LabClock
    let faults: FaultPlan
    /// The secret with which pre-authorised addresses are sealed.
    let secret = "lab"
    let state = Mutex(State())
    private let base: URL
    private let contentBase: URL

    init(
        base: URL,
        contentBase: URL,
        clock: LabClock,
        faults: FaultPlan,
        settings: GraphSettings,
        quota: Int64?
    ) {
        self.base = base
        self.contentBase = contentBase
        self.clock = clock
        self.faults = faults
        state.withLock { $0.settings = settings }
        makeAccount(driveType: settings.driveType, quota: quota)
    }

    /// The base URL in place of `https://graph.microsoft.com/v1.0`.
    public var graphURL: URL { base.appending(path: "graph/api/v1.0") }
    /// The base URL of pre-authorised addresses, on a port of its own: uploads, downloads and monitors of copies.
    public var contentURL: URL { contentBase.appending(path: "graph/content") }
    /// The page in place of `https://login.microsoftonline.com/common/oauth2/v2.0/authorize`.
    public var authorizationURL: URL { base.appending(path: "graph/login/common/oauth2/v2.0/authorize") }
    /// The address in place of `https://login.microsoftonline.com/common/oauth2/v2.0/token`.
    public var tokenURL: URL { base.appending(path: "graph/login/common/oauth2/v2.0/token") }
    /// The address in place of `https://login.microsoftonline.com/common/oauth2/v2.0/devicecode`.
    public var deviceCodeURL: URL { base.appending(path: "graph/login/common/oauth2/v2.0/devicecode") }

    /// The settings.
    public var settings: GraphSettings {
        get { state.withLock(\.settings) }
        set { state.withLock { $0.settings = newValue } }
    }

    /// The account that exists from the start, in which ``authorizationURL`` signs in.
    public var account: GraphAccount {
        state.withLock(\.accounts).first ?? makeAccount()
    }

    /// Makes one more account.
    ///
    /// - Parameters:
    ///   - email: The address by which the user signs in.
    ///   - name: The name of the user.
    ///   - driveType: The kind of the user's drive.
    ///   - quota: The number of bytes that fit; `nil` for no limit.
    /// - Returns: The account, whose drive is empty.
    @discardableResult
    public func makeAccount(
        email: String = "user@example.com",
        name: String = "Lab User",
        driveType: GraphDriveType = .personal,
        quota: Int64? = 2 << 30
    ) -> GraphAccount {
        let isPersonal = driveType == .personal
        let id = makeText(length: 16, from: "0123456789abcdef")
        let user = isPersonal ? id : "\(makeHex(8))-\(makeHex(4))-4\(makeHex(3))-a\(makeHex(3))-\(makeHex(12))"
        let drive = GraphDrive(
            id: isPersonal ? id : "b!" + makeText(length: 64),
            type: driveType,
            name: driveType == .documentLibrary ? "Documents" : "OneDrive",
            owner: (user, name),
            webURL: isPersonal
                ? "https://onedrive.live.com/?cid=\(id)" : "https://lab-my.sharepoint.com/personal/\(id)/Documents",
            itemPrefix: isPersonal ? id.uppercased() : "01" + makeText(length: 10, from: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            quota: quota,
            clock: clock
        )
        let account = GraphAccount(id: user, email: email, name: name, drive: drive)
        state.withLock { $0.accounts.append(account) }
        return account
    }

    /// Makes a SharePoint site with a document library, which all accounts may use.
    ///
    /// - Parameters:
    ///   - name: The name of the site.
    ///   - path: The path on the host, such as `sites/team`.
    ///   - quota: The number of bytes that fit into the library; `nil` for no limit.
    /// - Returns: The site, whose library is empty.
    @discardableResult
    public func makeSite(name: String, path: String, quota: Int64? = nil) -> GraphSite {
        let host = "lab.sharepoint.com"
        let guids = (0..<2).map { _ in "\(makeHex(8))-\(makeHex(4))-4\(makeHex(3))-a\(makeHex(3))-\(makeHex(12))" }
        let id = ([host] + guids).joined(separator: ",")
        let drive = GraphDrive(
            id: "b!" + makeText(length: 64),
            type: .documentLibrary,
            name: "Documents",
            owner: (guids[0], name),
            siteID: id,
            webURL: "https://\(host)/\(path)/Shared%20Documents",
            itemPrefix: "01" + makeText(length: 10, from: "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            quota: quota,
            clock: clock
        )
        let site = GraphSite(id: id, hostName: host, path: path, name: name, drive: drive)
        state.withLock { $0.sites.append(site) }
        return site
    }

    /// Forgets the states behind all change feeds, so that clients have to list again.
    public func resetCursors() { state.withLock { $0.epoch += 1 } }

    /// Returns a text that nobody has had before.
    ///
    /// - Parameters:
    ///   - length: The number of characters.
    ///   - letters: The characters to choose from.
    /// - Returns: The text.
    func makeText(
        length: Int,
        from letters: String = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    ) -> String {
        let letters = Array(letters)
        return state.withLock { state in
            String((0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &state.generator)] })
        }
    }

    private func makeHex(_ length: Int) -> String { makeText(length: length, from: "0123456789abcdef") }
}
