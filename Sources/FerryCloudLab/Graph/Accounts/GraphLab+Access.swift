import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Finds the token of a request.
    ///
    /// - Throws: A refusal with status 401.
    func authorize(_ request: LabRequest) throws -> GraphAccessToken {
        let fields = request.headers["authorization"]
        guard let field = fields.first, fields.count == 1, field.lowercased().hasPrefix("bearer ") else {
            throw GraphRefusal.unauthenticated("Access token is empty.")
        }
        let text = String(field.dropFirst(7))
        let found = state.withLock { state in
            // The client has got the answer to its refresh, and the new refresh token with it.
            if let predecessor = state.accessTokens[text]?.predecessor {
                state.refreshTokens[predecessor] = nil
                state.accessTokens[text]?.predecessor = nil
            }
            return state.accessTokens[text]
        }
        guard let token = found else {
            throw GraphRefusal.unauthenticated("IDX14100: JWT is not well formed, there are no dots (.).")
        }
        if let expires = token.expires, expires <= clock.now {
            throw GraphRefusal.unauthenticated("Lifetime validation failed, the token is expired.")
        }
        return token
    }

    /// Ends the life of the token of a request.
    func expireToken(of request: LabRequest) {
        guard let field = request.headers["authorization"].first else { return }
        let now = clock.now
        state.withLock { $0.accessTokens[String(field.dropFirst(7))]?.expires = now }
    }

    /// Returns the drive with an identifier.
    func drive(id: String) -> GraphDrive? {
        let id = id.lowercased()
        return state.withLock { state in
            (state.accounts.map(\.drive) + state.sites.map(\.drive)).first { $0.id.lowercased() == id }
        }
    }

    /// Returns the site that an address names.
    func site(_ owner: GraphAddress.Owner) -> GraphSite? {
        let sites = state.withLock(\.sites)
        return switch owner {
        case .site(let id): sites.first { $0.id.lowercased() == id.lowercased() }
        case .sitePath(let host, let path):
            sites.first {
                (host == "root" || $0.hostName == host.lowercased()) && $0.path.lowercased() == path.lowercased()
            }
        default: nil
        }
    }

    /// Finds the drive of a request, and the part of it that the account may use.
    ///
    /// - Throws: A refusal with status 400, 403 or 404.
    func makeCall(
        _ request: LabRequest,
        _ address: GraphAddress,
        _ options: GraphOptions,
        _ token: GraphAccessToken
    ) throws -> GraphCall {
        var address = address
        var access = GraphCall.Access.all
        let account = token.account
        let drive: GraphDrive
        switch address.owner {
        case .me, .none: drive = account.drive
        case .user(let user):
            guard user.lowercased() == account.id || user.lowercased() == account.email.lowercased() else {
                throw GraphRefusal.notFound
            }
            drive = account.drive
        case .drive(let id):
            guard let found = self.drive(id: id) else { throw GraphRefusal.notFound }
            drive = found
            access = try self.access(of: account, to: found)
        case .site, .sitePath:
            guard let found = site(address.owner) else {
                guard address.route == .drives || address.route == .site else { throw GraphRefusal.notFound }
                drive = account.drive
                break
            }
            drive = found.drive
        case .share(let token):
            let permission = try permission(share: token, account: account)
            drive = permission.drive
            access = .below([permission.itemID])
            if address.anchor == .root { address.anchor = .number(permission.itemID) }
            if request.headers["prefer"].contains(where: { $0.lowercased().hasPrefix("redeemsharinglink") }) {
                let grant = GraphGrant(drive: drive, itemID: permission.itemID, account: account, date: clock.now)
                state.withLock { $0.grants.append(grant) }
            }
        }
        return GraphCall(
            lab: self,
            account: account,
            scopes: token.scopes,
            drive: drive,
            access: access,
            address: address,
            options: options,
            settings: settings,
            request: request
        )
    }

    /// Returns the part of a drive that an account may use.
    ///
    /// - Throws: A refusal with status 403.
    func access(of account: GraphAccount, to drive: GraphDrive) throws -> GraphCall.Access {
        if account.drive === drive || drive.siteID != nil { return .all }
        let items = state.withLock { state in
            state.grants.filter { $0.drive === drive && $0.account === account }.map(\.itemID)
        }
        guard !items.isEmpty else { throw GraphRefusal.accessDenied }
        return .below(items)
    }
}

extension GraphCall {
    /// Checks that the token gives the permissions that the operation needs.
    ///
    /// - Throws: A refusal with status 403.
    func checkScopes() throws {
        guard let scopes else { return }
        let everywhere: Set = ["Files.ReadWrite.All", "Sites.ReadWrite.All"]
        let writing = everywhere.union(drive === account.drive ? ["Files.ReadWrite"] : [])
        let reading = writing.union(["Files.Read.All", "Sites.Read.All"])
            .union(drive === account.drive ? ["Files.Read"] : [])
        let needed: Set<String>
        switch address.route {
        case .me: needed = ["User.Read"]
        case .sites, .site, .recycleBin: needed = ["Sites.Read.All", "Sites.ReadWrite.All"]
        default: needed = address.route.isWriting ? writing : reading
        }
        if !needed.isDisjoint(with: scopes) { return }
        // An app may have no more than its own folder.
        if case .special(let name)? = address.anchor, name.lowercased() == "approot",
            scopes.contains("Files.ReadWrite.AppFolder")
        {
            return
        }
        throw GraphRefusal.accessDenied
    }
}
