import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Answers a request to the address of an upload session.
    ///
    /// - Throws: ``GraphRefusal`` or ``CloudError``.
    func uploadAnswer(_ request: LabRequest, id: String) throws -> LabResponse {
        if request.fault == .expireSession { state.withLock { $0.sessions[id] = nil } }
        guard let session = state.withLock({ $0.sessions[id] }), session.state.withLock(\.upload.expires) > clock.now
        else { throw GraphRefusal(404, "itemNotFound", "The upload session was not found.") }
        switch request.method {
        case .GET: return status(of: session, 200)
        case .DELETE:
            state.withLock { $0.sessions[id] = nil }
            return LabResponse(204)
        case .PUT: return try fragment(request, of: session)
        case .POST:
            guard session.isDeferred, !session.commit.drive.isPersonal, request.body.count == 0 else {
                throw GraphRefusal.invalid("The upload can't be completed this way.")
            }
            return try finish(session, request)
        default: throw GraphRefusal(405, "invalidRequest", "The method isn't allowed for this address.")
        }
    }

    private func status(of session: GraphSession, _ status: Int) -> LabResponse {
        let (expires, count, total) = session.state.withLock { ($0.upload.expires, $0.upload.content.count, $0.total) }
        let rest: JSONValue = count == total ? [] : [.string("\(count)-\(total.map { String($0 - 1) } ?? "")")]
        return LabResponse(
            status,
            json: [
                "expirationDateTime": .string(GraphTimestamp.text(expires, isPrecise: true)),
                // After a fragment the service says no more than where to go on.
                "nextExpectedRanges": status == 202 && count != total ? [.string("\(count)-")] : rest,
            ]
        )
    }

    private func fragment(_ request: LabRequest, of session: GraphSession) throws -> LabResponse {
        let settings = settings
        let (range, total) = try Self.contentRange(request)
        guard Int64(range.count) == request.body.count else {
            throw GraphRefusal.invalid("The body isn't as long as Content-Range says.", inner: "fragmentLengthMismatch")
        }
        guard request.body.count < settings.maximumFragment else {
            throw GraphRefusal(413, "invalidRequest", "The fragment is too large.")
        }
        guard range.upperBound == total || request.body.count % settings.fragmentMultiple == 0 else {
            throw GraphRefusal.invalid("The fragment isn't a multiple of \(settings.fragmentMultiple) bytes.")
        }
        guard session.announced.map({ $0 == total }) ?? true else {
            throw GraphRefusal.invalid("The size isn't the announced one.")
        }
        let isHalf = request.fault == .storeHalf
        let expires = clock.now.addingTimeInterval(settings.sessionLifetime / .seconds(1))
        let isComplete = try session.state.withLock { state in
            guard state.total ?? total == total else {
                throw GraphRefusal.invalid("Another fragment has declared another size.")
            }
            let count = state.upload.content.count
            guard range.lowerBound == count else {
                throw GraphRefusal(
                    416,
                    "invalidRange",
                    "The uploaded fragment overlaps with data that has already been received, or leaves a gap.",
                    inner: range.lowerBound < count ? "fragmentOverlap" : "fragmentOutOfOrder"
                )
            }
            state.total = total
            state.upload.expires = expires
            state.upload.append(isHalf ? request.body.part(0..<request.body.count / 2) : request.body)
            return state.upload.content.count == total
        }
        if isHalf { throw GraphRefusal(500, "generalException", "An unspecified error has occurred.") }
        guard isComplete, !session.isDeferred else { return status(of: session, 202) }
        return try finish(session, request)
    }

    /// Stores the file of a session; the session stays if that fails.
    private func finish(_ session: GraphSession, _ request: LabRequest) throws -> LabResponse {
        let (upload, total) = session.state.withLock { ($0.upload, $0.total) }
        guard upload.content.count == total else { throw GraphRefusal.invalid("The upload isn't complete.") }
        let drive = session.commit.drive
        let renderer = makeRenderer(
            for: drive,
            settings: settings,
            contentURL: request.baseURLs["content"] ?? ""
        )
        let changed = session.commit.rewritten(upload.content, name: session.name, settings)
        let hashes = changed.map { CloudHasher.hashes(of: $0, [.quickXor]) } ?? upload.hashes
        let now = clock.now
        let (entry, isNew) = try drive.storage.change { tree in
            let (item, isNew) = try session.commit.store(
                changed ?? upload.content,
                hashes: hashes,
                in: &tree,
                at: now
            )
            return (renderer.entry(item, in: tree), isNew)
        }
        state.withLock { $0.sessions[session.id] = nil }
        return LabResponse(isNew ? 201 : 200, json: .object(entry.fields))
    }

    /// Reads the `Content-Range` field of a fragment (RFC 9110, section 14.4).
    private static func contentRange(_ request: LabRequest) throws -> (range: Range<Int64>, total: Int64) {
        let malformed = GraphRefusal.invalid("Content-Range is missing or malformed.")
        guard let field = request.headers.first(name: "content-range"), field.hasPrefix("bytes ") else {
            throw malformed
        }
        let parts = field.dropFirst(6).split(separator: "/")
        guard parts.count == 2, let total = Int64(parts[1]) else { throw malformed }
        let bounds = parts[0].split(separator: "-")
        guard bounds.count == 2, let first = Int64(bounds[0]), let last = Int64(bounds[1]), first >= 0, first <= last,
            last < total
        else { throw malformed }
        return (first..<last + 1, total)
    }
}
