import FerryCore
import FerryHTTP
import Foundation
package import HTTPTypes

extension WebDAVConnection {
    /// Returns what the server can be relied on to do; asks it first, if nobody has.
    ///
    /// Only what changes something needs to know; reading takes every server as it comes.
    ///
    /// - Returns: The traits.
    /// - Throws: `URLError.userAuthenticationRequired`, errors of the connection.
    package func traits() async throws -> WebDAVTraits {
        if facts.complianceClasses == nil { try await askWhatItIs() }
        return knownTraits
    }

    /// Asks the server with `OPTIONS` (RFC 9110 §9.3.7, RFC 4918 §10.1).
    ///
    /// A server that refuses to say is one of which nothing is known; one that answers nothing else either has an error.
    ///
    /// - Throws: `URLError.userAuthenticationRequired`, errors of the connection and of a server in trouble.
    package func askWhatItIs() async throws {
        let reply = try await send(.options, .root, isFolder: true)
        if reply.status.code == 401 || reply.status.code >= 500 && reply.status != .notImplemented {
            let refusal = await error(of: reply, path: .root)
            // Some answer so to `OPTIONS` only, or a proxy before them does.
            guard reply.status.code != 503, try await answersQuestions() else { throw refusal }
        }
        let fields = reply.status.kind == .successful ? reply.head.headerFields : HTTPFields()
        let classes = Set(fields.list(.dav))
        let methods = Set(fields.list(.allow).map { $0.uppercased() })
        learn { facts in
            facts.complianceClasses = classes
            facts.allowedMethods = methods
        }
        noteSearch(in: reply.head)
    }

    /// Returns whether the server describes the base folder.
    private func answersQuestions() async throws -> Bool {
        let reply = try await propfind(.root, isFolder: true, depth: .item, .existence)
        await reply.discard()
        return reply.status.code == 207
    }

    /// Learns what any answer says of the server.
    ///
    /// - Parameter head: The answer.
    package func note(_ head: HTTPResponse) {
        guard let software = head.headerFields[.server], facts.software == nil else { return }
        learn { $0.software = software }
    }
}
