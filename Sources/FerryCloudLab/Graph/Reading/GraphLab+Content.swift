import Foundation
import NIOHTTP1
import Synchronization

extension GraphLab {
    /// Answers a request to a pre-authorised address.
    ///
    /// - Throws: ``GraphRefusal`` or ``CloudError``.
    func contentAnswer(_ request: LabRequest) throws -> LabResponse {
        guard let path = GraphContentPath(request.method, request.path) else { throw GraphRefusal.notFound }
        guard !request.headers.contains(name: "authorization") else {
            throw GraphRefusal(401, "unauthenticated", "The address is authorised already: send no Authorization.")
        }
        switch path {
        case .download(let parts): return try download(request, parts)
        case .thumbnail(let parts): return try thumbnailDownload(request, parts)
        case .upload(let id, _): return try uploadAnswer(request, id: id)
        case .monitor(let id): return try monitor(request, id: id)
        }
    }

    private func version(
        _ request: LabRequest,
        _ parts: [String]
    ) throws -> (item: CloudItem, version: CloudVersion) {
        guard request.method == .GET || request.method == .HEAD else {
            throw GraphRefusal(405, "invalidRequest", "The method isn't allowed for this address.")
        }
        let facts = parts.joined(separator: "/")
        let fields = (request.parameter("tempauth") ?? "").split(separator: ".").map(String.init)
        guard let drive = drive(id: parts[0]), let id = Int(parts[1]), let number = Int(parts[2]), fields.count == 2,
            let seconds = Int64(fields[0])
        else { throw GraphRefusal.notFound }
        let links = GraphContentLinks(base: "", secret: secret, expires: .distantPast)
        guard links.seal(facts, seconds) == fields[1] else { throw GraphRefusal.notFound }
        guard seconds == 0 || TimeInterval(seconds) > clock.now.timeIntervalSince1970 else {
            throw GraphRefusal(401, "unauthenticated", "The address has expired.")
        }
        return try drive.storage.read { tree in
            guard let item = tree.liveItem(id), let version = tree.versions[number] else {
                throw GraphRefusal.notFound
            }
            return (item, version)
        }
    }

    private func download(_ request: LabRequest, _ parts: [String]) throws -> LabResponse {
        let (item, version) = try version(request, parts)
        var response = ContentRange.response(version.content, range: request.headers.first(name: "range"))
        response.headers.replaceOrAdd(name: "Content-Type", value: GraphFileKind.mimeType(name: item.name))
        response.headers.replaceOrAdd(name: "ETag", value: "\"\(version.number)\"")
        if response.status == 416 { response.refusal = "invalidRange" }
        return response
    }

    private func thumbnailDownload(_ request: LabRequest, _ parts: [String]) throws -> LabResponse {
        let (item, version) = try version(request, parts)
        guard let size = GraphThumbnail(parts[3], of: item, version) else { throw GraphRefusal.notFound }
        var response = LabResponse(
            200,
            headers: ["Content-Type": "image/jpeg"],
            body: CloudContent(BlankPicture.jpeg(width: size.width, height: size.height))
        )
        response.headers.replaceOrAdd(name: "Cache-Control", value: "private")
        return response
    }
}

extension GraphCall {
    /// Answers `GET …/content`: a redirect to a pre-authorised address.
    func content() throws -> LabResponse {
        let renderer = try makeRenderer()
        let url: String? = try storage.read { tree in
            let item = try self.item(in: tree)
            guard let version = item.version else { throw CloudError.notFile }
            if isUnchanged(item) { return nil }
            guard item.role != .infected || options.values["AVOverride"] == "1" else {
                throw GraphRefusal(403, "malwareDetected", "Malware was detected in the requested resource.")
            }
            return renderer.links.downloadURL(of: item, version, in: drive)
        }
        guard let url else { return LabResponse(304) }
        return LabResponse(302, headers: ["Location": url])
    }
}
