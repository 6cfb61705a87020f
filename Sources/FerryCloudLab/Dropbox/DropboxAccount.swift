import Foundation

/// An account of an emulated Dropbox.
public final class DropboxAccount: Sendable {
    /// The identifier, such as `dbid:…`.
    public let id: String
    /// The address by which the user signs in.
    public let email: String
    /// The name of the user.
    public let name: String
    /// The files.
    public let storage: CloudStorage
    /// The path of the user's home inside the storage; `nil` if the home is the root, as it is outside a team.
    public let homePath: String?

    /// The folder that is the user's home.
    let homeID: CloudItem.ID

    init(id: String, email: String, name: String, isTeamMember: Bool, quota: Int64?, clock: LabClock) {
        self.id = id
        self.email = email
        self.name = name
        let date = clock.now
        var tree = CloudTree(hashKinds: [.dropbox], movesMakeVersions: true, quota: quota, date: date)
        homeID = isTeamMember ? tree.makeFolder(named: name, in: CloudTree.rootID, at: date).id : CloudTree.rootID
        homePath = isTeamMember ? "/" + name : nil
        storage = CloudStorage(tree: tree, clock: clock)
    }

    /// The identifier of the namespace that holds everything the user sees.
    public var rootNamespaceID: String { String(CloudTree.rootID) }

    /// The identifier of the namespace of the user's home; the same as the root's outside a team.
    public var homeNamespaceID: String { String(homeID) }
}
