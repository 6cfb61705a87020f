import Foundation

/// An address that opens a file without a token.
struct DropboxTemporaryLink: Sendable {
    enum Purpose: Sendable {
        case download(CloudContent)
        case upload(DropboxCommit, DropboxScope)
    }

    let account: DropboxAccount
    let purpose: Purpose
    let expires: Date
}
