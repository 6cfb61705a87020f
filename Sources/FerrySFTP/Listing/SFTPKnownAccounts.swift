import Synchronization

/// The names of users and groups, as far as a server has told them.
final class SFTPKnownAccounts: Sendable {
    private struct State {
        var users: [UInt32: String] = [:]
        var groups: [UInt32: String] = [:]
    }

    private let state = Mutex(State())

    /// The names of an owner, asked for once; numbers stand for those that nobody tells.
    ///
    /// - Parameters:
    ///   - owner: The numbers.
    ///   - line: Whom to ask.
    /// - Returns: The names.
    /// - Throws: Why the line has ended.
    func names(of owner: SFTPAttributes.Owner, on line: SFTPLine) async throws -> (user: String, group: String) {
        if let known = known(owner) { return known }
        if line.facts.has(.usersGroupsByID) {
            let request = SFTPRequest.usersGroups(users: [owner.user], groups: [owner.group])
            do {
                var answer = try await line.connection.begin(request).extended()
                let names = try SFTPAccountNames(from: &answer)
                learn(owner, names)
            } catch is SFTPRefusal {
                // The numbers say it, too.
            }
        }
        return known(owner) ?? (String(owner.user), String(owner.group))
    }

    private func known(_ owner: SFTPAttributes.Owner) -> (user: String, group: String)? {
        state.withLock { state in
            guard let user = state.users[owner.user], let group = state.groups[owner.group] else { return nil }
            return (user, group)
        }
    }

    private func learn(_ owner: SFTPAttributes.Owner, _ names: SFTPAccountNames) {
        state.withLock { state in
            let (user, group) = (names.users.first ?? "", names.groups.first ?? "")
            state.users[owner.user] = user.isEmpty ? String(owner.user) : user
            state.groups[owner.group] = group.isEmpty ? String(owner.group) : group
        }
    }
}
