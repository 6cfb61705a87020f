import Foundation
import NIOHTTP1
import Synchronization

extension DropboxLab {
    /// Answers a request to the address of a file.
    func temporaryDownload(_ request: LabRequest) -> LabResponse {
        guard request.method == .GET || request.method == .HEAD else {
            return LabResponse(405, text: "Only GET is allowed here.")
        }
        guard let link = link(for: request) else { return LabResponse(404, text: "No such link.") }
        guard !request.headers.contains(name: "authorization") else {
            return LabResponse(401, text: "The address needs no Authorization.")
        }
        guard link.expires > clock.now, case .download(let content) = link.purpose else {
            return LabResponse(410, text: "The link has expired.")
        }
        return ContentRange.response(content, range: request.headers.first(name: "range"))
    }

    /// Answers a request to an address that takes a file.
    func temporaryUpload(_ request: LabRequest) -> LabResponse {
        guard request.method == .POST else { return LabResponse(405, text: "Only POST is allowed here.") }
        guard let link = link(for: request) else { return LabResponse(404, text: "No such link.") }
        guard !request.headers.contains(name: "authorization") else {
            return LabResponse(401, text: "The address needs no Authorization.")
        }
        guard link.expires > clock.now, case .upload(let commit, let scope) = link.purpose else {
            return LabResponse(410, text: "The link has expired.")
        }
        guard request.headers.first(name: "content-type") == "application/octet-stream" else {
            return LabResponse(400, text: "The content type must be application/octet-stream.")
        }
        let hashes = CloudHasher.hashes(of: request.body, [.dropbox])
        do {
            let now = clock.now
            try link.account.storage.change { tree in
                _ = try commit.store(request.body, hashes: hashes, scope: scope, tree: &tree, at: now)
            }
            let id = request.path.split(separator: "/").last.map(String.init) ?? ""
            state.withLock { $0.temporaryLinks[id] = nil }
            return LabResponse(json: ["content-hash": .string(hashes[.dropbox] ?? "")])
        } catch {
            return LabResponse(409, text: "The file can't be stored: \(error)")
        }
    }

    private func link(for request: LabRequest) -> DropboxTemporaryLink? {
        let id = request.path.split(separator: "/").last.map(String.init) ?? ""
        return state.withLock { $0.temporaryLinks[id] }
    }
}

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
