import Synchronization

/// An upload session of an account.
///
/// Its own lock lets sessions be hashed at the same time.
final class DropboxSession: Sendable {
    let account: DropboxAccount
    let state: Mutex<CloudUploadSession>

    init(account: DropboxAccount, _ session: CloudUploadSession) {
        self.account = account
        state = Mutex(session)
    }
}
