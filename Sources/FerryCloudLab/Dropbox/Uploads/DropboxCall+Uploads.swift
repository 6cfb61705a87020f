import Foundation
import Synchronization

extension DropboxCall {
    /// The alignment of the parts of concurrent sessions.
    private static let partAlignment: Int64 = 4 << 20
    /// The largest file that a session may make.
    private static let maximumFile: Int64 = 2_199_019_061_248

    static let cursorShape = DropboxShape(.required("session_id", .text()), .required("offset", .unsigned(0...1 << 60)))
    static let hashField = DropboxShape.Field.optional("content_hash", .text(64...64))

    /// Answers `files/upload`.
    func upload() throws -> DropboxResult {
        let content = request.body
        try checkPayload()
        let hashes = CloudHasher.hashes(of: content, [.dropbox])
        try checkHash(hashes)
        let commit = DropboxCommit(arguments)
        do {
            let fields = try storage.change { tree in
                let item = try commit.store(content, hashes: hashes, scope: scope, tree: &tree, at: now)
                return scope.metadata(item, in: tree, isTagged: false)
            }
            return .json(.object(fields))
        } catch let tag as DropboxTag {
            // The bytes aren't lost: a session holds them.
            let (id, session) = makeSession(isConcurrent: false)
            session.state.withLock { $0.append(content) }
            throw DropboxTag(
                "path",
                fields: [("reason", tag.json), ("upload_session_id", .string(id))],
                summary: tag.summary
            )
        }
    }

    /// Answers `files/upload_session/start`.
    func startSession() throws -> DropboxResult {
        let isConcurrent = arguments["session_type"]?.tagged?.tag == "concurrent"
        if isConcurrent, request.body.count > 0 { throw DropboxTag("concurrent_session_data_not_allowed") }
        if isConcurrent, flag("close") { throw DropboxTag("concurrent_session_close_not_allowed") }
        try checkPayload()
        try checkHash(CloudHasher.hashes(of: request.body, [.dropbox]))
        let (id, session) = makeSession(isConcurrent: isConcurrent)
        let isHalf = fault == .storeHalf
        session.state.withLock { session in
            session.append(isHalf ? request.body.part(0..<request.body.count / 2) : request.body)
            session.isClosed = flag("close") && !isHalf
        }
        if isHalf { throw DropboxRefusal.response(LabResponse(500, text: "Internal Server Error")) }
        return .json(["session_id": .string(id)])
    }

    /// Answers `files/upload_session/start_batch`.
    func startSessions() -> DropboxResult {
        let isConcurrent = arguments["session_type"]?.tagged?.tag == "concurrent"
        let count = Int(arguments["num_sessions"]?.integer ?? 0)
        let ids = (0..<count).map { _ in JSONValue.string(makeSession(isConcurrent: isConcurrent).id) }
        return .json(["session_ids": .array(ids)])
    }

    /// Answers `files/upload_session/append_v2`.
    func appendToSession() throws -> DropboxResult {
        try checkPayload()
        if arguments["content_hash"]?.string != nil {
            try checkHash(CloudHasher.hashes(of: request.body, [.dropbox]))
        }
        try append(request.body, to: arguments["cursor"] ?? .null, isLast: flag("close"))
        return .json(.null)
    }

    /// Answers `files/upload_session/append_batch`.
    func appendToSessions() throws -> DropboxResult {
        try checkPayload()
        let entries = arguments["entries"]?.array ?? []
        let lengths = entries.map { $0["length"]?.integer ?? 0 }
        guard lengths.reduce(0, +) == request.body.count else { throw DropboxTag("length_mismatch") }
        try checkHash(CloudHasher.hashes(of: request.body, [.dropbox]))
        var start: Int64 = 0
        var results: [JSONValue] = []
        for (entry, length) in zip(entries, lengths) {
            do {
                let part = request.body.part(start..<start + length)
                try append(part, to: entry["cursor"] ?? .null, isLast: entry["close"]?.bool ?? false)
                results.append([".tag": "success"])
            } catch let tag as DropboxTag {
                results.append([".tag": "failure", "failure": tag.json])
            }
            start += length
        }
        return .json(["entries": .array(results)])
    }

    /// Answers `files/upload_session/finish`.
    func finishSession() throws -> DropboxResult {
        try checkPayload()
        if arguments["content_hash"]?.string != nil {
            try checkHash(CloudHasher.hashes(of: request.body, [.dropbox]))
        }
        let fields = try finish(
            arguments["cursor"] ?? .null,
            arguments["commit"] ?? .null,
            adding: request.body,
            mustBeClosed: false
        )
        return .json(.object(fields))
    }

    /// Answers `files/upload_session/finish_batch_v2`.
    func finishSessions() -> DropboxResult { .json(finishEntries()) }

    /// Answers `files/upload_session/finish_batch`.
    func launchFinishSessions() -> DropboxResult {
        launch(failure: nil) { finishEntries() }
    }

    private func finishEntries() -> JSONValue {
        let results = (arguments["entries"]?.array ?? []).map { entry -> JSONValue in
            do {
                let fields = try finish(
                    entry["cursor"] ?? .null,
                    entry["commit"] ?? .null,
                    adding: CloudContent(),
                    mustBeClosed: true
                )
                return .object(JSONObject([(".tag", "success")] + fields.members.map { ($0.name, $0.value) }))
            } catch let tag as DropboxTag {
                return [".tag": "failure", "failure": tag.json]
            } catch {
                return [".tag": "failure", "failure": [".tag": "other"]]
            }
        }
        return ["entries": .array(results)]
    }
}

extension DropboxCall {
    private func makeSession(isConcurrent: Bool) -> (id: String, session: DropboxSession) {
        let id = "pid_upload_session:" + lab.makeText(length: 40)
        let expires = now.addingTimeInterval(settings.sessionLifetime / .seconds(1))
        let state = CloudUploadSession(isConcurrent: isConcurrent, hashKinds: [.dropbox], expires: expires)
        let session = DropboxSession(account: account, state)
        lab.state.withLock { $0.sessions[id] = session }
        return (id, session)
    }

    private func session(_ cursor: JSONValue) throws -> DropboxSession {
        let id = cursor["session_id"]?.string ?? ""
        if fault == .expireSession { lab.state.withLock { $0.sessions[id] = nil } }
        guard let session = lab.state.withLock({ $0.sessions[id] }), session.account === account,
            session.state.withLock(\.expires) > now
        else { throw DropboxTag("not_found") }
        return session
    }

    private func append(_ part: CloudContent, to cursor: JSONValue, isLast: Bool) throws {
        let session = try session(cursor)
        let offset = cursor["offset"]?.integer ?? 0
        let isHalf = fault == .storeHalf
        try session.state.withLock { session in
            guard !session.isClosed else { throw DropboxTag("closed") }
            guard offset + part.count <= Self.maximumFile else { throw DropboxTag("too_large") }
            if session.isConcurrent {
                guard offset % Self.partAlignment == 0 else { throw DropboxTag("concurrent_session_invalid_offset") }
                guard isLast || part.count % Self.partAlignment == 0 else {
                    throw DropboxTag("concurrent_session_invalid_data_size")
                }
                if !isHalf { session.insert(part, at: offset, isLast: isLast) }
            } else {
                guard offset == session.content.count else { throw Self.incorrectOffset(session) }
                session.append(isHalf ? part.part(0..<part.count / 2) : part)
            }
            if isLast, !isHalf { session.isClosed = true }
        }
        if isHalf { throw DropboxRefusal.response(LabResponse(500, text: "Internal Server Error")) }
    }

    private static func incorrectOffset(_ session: CloudUploadSession) -> DropboxTag {
        DropboxTag("incorrect_offset", fields: [("correct_offset", .integer(session.content.count))])
    }

    private func finish(
        _ cursor: JSONValue,
        _ commit: JSONValue,
        adding part: CloudContent,
        mustBeClosed: Bool
    ) throws -> JSONObject {
        let session: DropboxSession
        let (content, hashes): (CloudContent, [CloudHashKind: String])
        do {
            session = try self.session(cursor)
            (content, hashes) = try session.state.withLock { session in
                if session.isConcurrent {
                    guard part.count == 0 else { throw Outer(DropboxTag("concurrent_session_data_not_allowed")) }
                    guard session.isClosed else {
                        throw mustBeClosed
                            ? DropboxTag("not_closed") : Outer(DropboxTag("concurrent_session_not_closed"))
                    }
                    guard !session.hasGaps else { throw Outer(DropboxTag("concurrent_session_missing_data")) }
                }
                if mustBeClosed, !session.isClosed { throw DropboxTag("not_closed") }
                guard part.count == 0 || !session.isClosed else { throw DropboxTag("closed") }
                guard cursor["offset"]?.integer == session.content.count else { throw Self.incorrectOffset(session) }
                session.append(part)
                return (session.content, session.hashes)
            }
        } catch let tag as DropboxTag {
            throw DropboxTag("lookup_failed", tag)
        } catch let outer as Outer {
            throw outer.tag
        }
        let fields: JSONObject
        do {
            fields = try storage.change { tree in
                let item = try DropboxCommit(commit).store(content, hashes: hashes, scope: scope, tree: &tree, at: now)
                return scope.metadata(item, in: tree, isTagged: false)
            }
        } catch let tag as DropboxTag {
            throw DropboxTag("path", tag)
        }
        lab.state.withLock { $0.sessions[cursor["session_id"]?.string ?? ""] = nil }
        return fields
    }

    /// An error that isn't one of the session lookup.
    private struct Outer: Error {
        let tag: DropboxTag
        init(_ tag: DropboxTag) { self.tag = tag }
    }

    private func checkPayload() throws {
        guard request.body.count <= settings.maximumPayload else { throw DropboxTag("payload_too_large") }
    }

    private func checkHash(_ hashes: [CloudHashKind: String]) throws {
        guard let expected = arguments["content_hash"]?.string, expected.lowercased() != hashes[.dropbox] else {
            return
        }
        throw DropboxTag("content_hash_mismatch")
    }
}

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
