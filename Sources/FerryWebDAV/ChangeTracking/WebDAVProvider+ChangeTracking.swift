public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// The present moment in the storage's history.
    ///
    /// Where the server keeps one (RFC 6578), that is its own token; elsewhere everything is listed, and the anchor says
    /// what is there. On servers whose dates and eTags have whole seconds, it takes two of these to know what has just
    /// changed for certain.
    ///
    /// - Returns: An anchor that later calls can begin from, in this process or another.
    /// - Throws: The error of the first folder that can't be listed; errors of the connection.
    public func currentAnchor() async throws -> ChangeAnchor {
        let tracking = try await connection.tracking(of: self)
        if tracking == .reports {
            if let token = try await syncToken() { return ChangeAnchor(token: Self.reportPrefix + token) }
            connection.learn { $0.tracking = .snapshots }
        }
        let tree = try await TreeSnapshot(
            of: self,
            below: .root,
            trustsFolderTags: tracking == .folderTags,
            clock: connection.clock
        )
        return try tree.anchor()
    }

    /// Returns what has changed since an anchor.
    ///
    /// - Parameter anchor: From an earlier call.
    /// - Returns: Changes, possibly only some of them, and from where to ask next.
    /// - Throws: `AnchorExpiredError` when the server no longer knows; the error of the first folder that can't be
    ///   listed: half a list would look like a removal.
    public func changes(since anchor: ChangeAnchor) async throws -> ChangeSet {
        if anchor.token.hasPrefix(Self.reportPrefix) {
            return try await reportedChanges(since: String(anchor.token.dropFirst(Self.reportPrefix.count)))
        }
        let before = try TreeSnapshot(anchor)
        let tracking = try await connection.tracking(of: self)
        let (changes, now) = try await before.compare(
            with: self,
            trustsFolderTags: tracking == .folderTags,
            clock: connection.clock
        )
        return ChangeSet(changes: changes, anchor: try now.anchor(), hasMore: false)
    }

    /// The prefix that tells a server's token from a snapshot, which is written in base 64.
    private static var reportPrefix: String { "sync:" }

    private func syncToken() async throws -> String? {
        let name = WebDAVPropertyName("sync-token")
        let text = try await properties(of: .root, [name])[name]?.text
        let token = text?.trimmingCharacters(in: .whitespacesAndNewlines)
        return token?.isEmpty == false ? token : nil
    }

    private func reportedChanges(since token: String) async throws -> ChangeSet {
        let names = WebDAVPropertyRequest.item + additionalProperties
        let document = """
            <?xml version="1.0" encoding="utf-8"?><d:sync-collection xmlns:d="DAV:">\
            <d:sync-token>\(token.xmlEscaped)</d:sync-token><d:sync-level>infinite</d:sync-level>\
            \(WebDAVPropertyRequest.prop(names))</d:sync-collection>
            """
        let fields: HTTPFields = [.depth: "0", .contentType: "application/xml; charset=utf-8"]
        let body = HTTPRequestBody(document)
        let reply = try await connection.send(
            .report,
            .root,
            isFolder: true,
            fields: fields,
            body: body,
            isIdempotent: true
        )
        guard reply.status.code == 207 else { throw try await reportError(reply) }
        try WebDAVPageTrail.requireWhole(reply.head)
        var changes = WebDAVReportedChanges(try WebDAVItems(self, reply.head, folder: .root, isDeep: true))
        let parser = try MultistatusParser(others: additionalProperties)
        for try await chunk in reply.body {
            try parser.parse(chunk)
            try changes.add(parser.takeEntries())
        }
        try parser.finish()
        guard let next = parser.syncToken, next != token || !changes.hasMore else {
            throw URLError.answer(.cannotParseResponse, description: "the server's report has no end")
        }
        return ChangeSet(
            changes: changes.inOrder,
            anchor: ChangeAnchor(token: Self.reportPrefix + next),
            hasMore: changes.hasMore
        )
    }

    /// RFC 6578 §3.2: a token that is no longer valid is told by `valid-sync-token`.
    private func reportError(_ reply: HTTPReply) async throws -> any Error {
        let data = try await reply.body.collect(upTo: 64 << 10)
        let answer = HTTPServerError(reply, path: .root, body: data)
        // An answer that is no XML tells nothing more than its status.
        let condition = try? MultistatusParser.tree(of: data)
        if condition?.first("valid-sync-token") != nil || reply.status.code == 410 {
            return AnchorExpiredError(serverDescription: answer.serverDescription)
        }
        let isRefused = [400, 404, 405, 415, 422, 501].contains(reply.status.code)
        if condition?.first("sync-traversal-supported") != nil || isRefused {
            // It has no reports of whole trees after all.
            connection.learn { $0.tracking = .snapshots }
            return AnchorExpiredError(serverDescription: answer.serverDescription)
        }
        return answer.mapped()
    }
}

extension WebDAVProvider where Self: FileProviderChangeTracking {
    /// Asks the server again and again, each second at first and each minute when nothing has happened for a while.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait at most.
    /// - Returns: `false` when the time is over.
    /// - Throws: The errors of ``changes(since:)``; `CancellationError`.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        try await pollForChanges(since: anchor, timeout: timeout, clock: connection.clock)
    }
}

extension WebDAVConnection {
    /// Returns the way in which changes are found; asks the server once, if nobody has.
    ///
    /// - Parameter provider: The provider that asks.
    /// - Returns: The way.
    /// - Throws: Errors of the connection.
    package func tracking(of provider: some WebDAVProvider) async throws -> WebDAVTracking {
        if let known = facts.tracking { return known }
        let name = WebDAVPropertyName("supported-report-set")
        let reports = try await provider.properties(of: .root, [name])[name]
        let hasReports = reports?.holds(WebDAVPropertyName("sync-collection")) ?? false
        let tracking = hasReports ? WebDAVTracking.reports : .snapshots
        learn { $0.tracking = tracking }
        return tracking
    }
}

extension WebDAVElement {
    /// Returns whether an element of a name is anywhere in it; the parser bounds its depth.
    fileprivate func holds(_ name: WebDAVPropertyName) -> Bool {
        self.name == name || children.contains { $0.holds(name) }
    }
}

extension WebDAVFileProvider: FileProviderChangeTracking {}

/// The way in which changes on a server are found.
package enum WebDAVTracking: Sendable, Hashable {
    /// The server tells them (RFC 6578).
    case reports
    /// A folder's eTag changes with everything below it: only folders with another eTag are listed.
    case folderTags
    /// Everything is listed and compared.
    case snapshots
}
