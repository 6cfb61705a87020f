import Foundation
import NIOHTTP1

@testable import FerryCloudLab

/// The calls of Dropbox's API in their three styles.
struct DropboxClient: Sendable {
    let lab: CloudLab
    var token: String
    var headers = HTTPHeaders()

    init(_ lab: CloudLab, token: String? = nil) {
        self.lab = lab
        self.token = token ?? lab.dropbox.makeAccessToken()
    }

    private func fields(_ type: String?) -> HTTPHeaders {
        var fields = headers
        fields.add(name: "Authorization", value: "Bearer \(token)")
        if let type { fields.add(name: "Content-Type", value: type) }
        return fields
    }

    /// Makes a call whose argument and result are JSON.
    func call(_ route: String, _ argument: JSONValue) async throws -> LabClient.Answer {
        try await LabClient.send(
            lab.dropbox.apiURL.appending(path: "2/\(route)"),
            headers: fields("application/json"),
            body: argument.encoded
        )
    }

    /// Uploads a file in one request.
    func upload(_ argument: JSONValue, _ bytes: some Sequence<UInt8>) async throws -> LabClient.Answer {
        try await upload("files/upload", argument, bytes)
    }

    /// Downloads a file, or a part of it.
    func download(_ argument: JSONValue, range: String? = nil) async throws -> LabClient.Answer {
        try await download("files/download", argument, range: range)
    }

    /// Makes a call that sends bytes.
    func upload(
        _ route: String,
        _ argument: JSONValue,
        _ bytes: some Sequence<UInt8>
    ) async throws -> LabClient.Answer {
        var fields = fields("application/octet-stream")
        fields.add(name: "Dropbox-API-Arg", value: argument.encodedForHeader)
        return try await LabClient.send(
            lab.dropbox.contentURL.appending(path: "2/\(route)"),
            headers: fields,
            body: Array(bytes)
        )
    }

    /// Makes a call that gets bytes.
    func download(
        _ route: String,
        _ argument: JSONValue,
        range: String? = nil
    ) async throws -> LabClient.Answer {
        var fields = fields(nil)
        fields.add(name: "Dropbox-API-Arg", value: argument.encodedForHeader)
        if let range { fields.add(name: "Range", value: range) }
        return try await LabClient.send(lab.dropbox.contentURL.appending(path: "2/\(route)"), headers: fields)
    }

    /// Lists a folder to the end; returns tags and paths, the number of pages and the last cursor.
    func list(_ argument: JSONValue) async throws -> (entries: [String], pages: Int, cursor: String) {
        try await pages(from: call("files/list_folder", argument))
    }

    /// Goes on from a cursor to the end.
    func goOn(from cursor: String) async throws -> (entries: [String], pages: Int, cursor: String) {
        try await pages(from: call("files/list_folder/continue", ["cursor": .string(cursor)]))
    }

    private func pages(
        from first: LabClient.Answer
    ) async throws -> (entries: [String], pages: Int, cursor: String) {
        var (page, count, entries) = (first.json, 1, [String]())
        while true {
            for entry in page["entries"]?.array ?? [] {
                entries.append("\(entry[".tag"]?.string ?? "") \(entry["path_lower"]?.string ?? "")")
            }
            let cursor = page["cursor"]?.string ?? ""
            guard page["has_more"] == true else { return (entries, count, cursor) }
            page = try await call("files/list_folder/continue", ["cursor": .string(cursor)]).json
            count += 1
        }
    }
}
