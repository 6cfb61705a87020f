import Foundation
import Synchronization

/// An upload session.
///
/// Its own lock lets sessions be hashed at the same time.
final class GraphSession: Sendable {
    struct State: Sendable {
        var upload: CloudUploadSession
        /// The size of the whole file, which the first fragment says.
        var total: Int64?
    }

    let id: String
    let account: GraphAccount
    let commit: GraphCommit
    /// The name of the file.
    let name: String
    /// The size that was announced.
    let announced: Int64?
    /// A Boolean value that indicates whether the file is stored at an order of its own only.
    let isDeferred: Bool
    let state: Mutex<State>

    init(
        id: String,
        account: GraphAccount,
        commit: GraphCommit,
        name: String,
        announced: Int64?,
        isDeferred: Bool,
        upload: CloudUploadSession
    ) {
        self.id = id
        self.account = account
        self.commit = commit
        self.name = name
        self.announced = announced
        self.isDeferred = isDeferred
        state = Mutex(State(upload: upload))
    }
}
