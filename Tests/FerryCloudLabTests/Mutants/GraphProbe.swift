import Foundation
import NIOHTTP1

@testable import FerryCloudLab

/// A series of requests in which each mistake of the emulated Graph has a chance to show.
struct GraphProbe {
    private static let unit = 320 * 1024
    private static let conflict = "@microsoft.graph.conflictBehavior"

    private let base: String
    private let token: String
    private var lines: [String] = []

    private init(_ lab: CloudLab) {
        base = lab.graph.graphURL.absoluteString + "/me/drive"
        token = lab.graph.makeAccessToken()
    }

    /// Makes the requests at a lab of its own, whose clock and numbers are the same each time.
    ///
    /// - Parameter mutant: The mistake; `nil` for none.
    /// - Returns: A line for each answer.
    /// - Throws: An error of the system, or of the connection.
    static func transcript(_ mutant: CloudMutant?) async throws -> [String] {
        var options = CloudLab.Options()
        options.mutant = mutant
        return try await withCloudLab(options) { lab in
            var probe = GraphProbe(lab)
            try await probe.write()
            try await probe.uploadFragments()
            try await probe.read()
            try await probe.follow()
            let ports = [lab.graph.graphURL, lab.graph.contentURL].compactMap(\.port)
            // Ports are the only thing that differs from lab to lab.
            return probe.lines.map { line in ports.reduce(line) { $0.replacing(":\($1)/", with: ":PORT/") } }
        }
    }

    @discardableResult
    private mutating func send(
        _ method: HTTPMethod,
        _ address: String,
        _ body: [UInt8] = [],
        fields: HTTPHeaders = [:],
        isAuthorized: Bool = true
    ) async throws -> LabClient.Answer {
        guard let url = URL(string: address.hasPrefix("http") ? address : base + address) else {
            throw URLError(.badURL)
        }
        var headers = fields
        if isAuthorized { headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)") }
        let answer = try await LabClient.send(method, url, headers: headers, body: body)
        let location = answer.headers.first(name: "Location") ?? ""
        let range = answer.headers.first(name: "Content-Range") ?? ""
        var text = answer.text
        // Each refusal has a number and a date of its own.
        if answer.status >= 400 { text = answer.json["error"]?["code"]?.string ?? "" }
        lines.append("\(lines.count) \(answer.status) \(location) \(range) \(text)")
        return answer
    }

    @discardableResult
    private mutating func send(
        _ method: HTTPMethod,
        _ address: String,
        json: JSONValue,
        fields: HTTPHeaders = [:]
    ) async throws -> JSONValue {
        var fields = fields
        fields.replaceOrAdd(name: "Content-Type", value: "application/json")
        return try await send(method, address, json.encoded, fields: fields).json
    }

    private mutating func upload(_ address: String, _ text: String) async throws -> JSONValue {
        try await send(.PUT, address, Array(text.utf8), fields: ["Content-Type": "text/plain"]).json
    }

    private mutating func write() async throws {
        try await send(.POST, "/root/children", json: ["name": "Docs", "folder": [:]])
        let first = try await upload("/root:/Docs/One.txt:/content", "the first file")
        _ = try await upload("/root:/Docs/One.txt:/content?\(Self.conflict)=fail", "another")
        _ = try await upload("/root:/Docs/One.txt:/content?\(Self.conflict)=rename", "a second one")
        let item = "/items/\(first["id"]?.string ?? "")"
        let date: JSONValue = ["lastModifiedDateTime": "2021-02-03T04:05:06Z"]
        try await send(.PATCH, item, json: ["fileSystemInfo": date])
        try await send(.PATCH, item, json: ["name": "Other.txt"], fields: ["If-Match": #""wrong""#])
        for name in ["a", "b", "c", "d", "e", "f"] { _ = try await upload("/root:/Docs/\(name):/content", name) }
    }

    private mutating func uploadFragments() async throws {
        let body: JSONValue = ["item": [:]]
        let session = try await send(.POST, "/root:/Docs/Big:/createUploadSession", json: body)
        let address = session["uploadUrl"]?.string ?? ""
        let bytes = [UInt8](repeating: 7, count: Self.unit + 3)
        let total = bytes.count
        for (range, isAuthorized) in [(0..<Self.unit, true), (0..<Self.unit, false), (Self.unit..<total, false)] {
            let field = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)"
            try await send(
                .PUT,
                address,
                Array(bytes[range]),
                fields: ["Content-Range": field],
                isAuthorized: isAuthorized
            )
        }
    }

    private mutating func read() async throws {
        try await send(.GET, "/root:/Docs/One.txt")
        try await send(.GET, "/root:/nothing")
        let redirect = try await send(.GET, "/root:/Docs/One.txt:/content")
        let address = redirect.headers.first(name: "Location") ?? ""
        try await send(.GET, address, isAuthorized: false)
        try await send(.GET, address, fields: ["Range": "bytes=1-2"], isAuthorized: false)
        var page = try await send(.GET, "/root:/Docs:/children").json
        for _ in 0..<20 {
            guard let next = page["@odata.nextLink"]?.string else { break }
            page = try await send(.GET, next).json
        }
    }

    private mutating func follow() async throws {
        let link = try await changes("/root/delta")
        let target = try await send(.POST, "/root/children", json: ["name": "Target", "folder": [:]])
        let reference: JSONValue = ["id": target["id"] ?? .null]
        try await send(.PATCH, "/root:/Docs/a", json: ["parentReference": reference])
        try await send(.POST, "/root:/Docs/b:/copy", json: ["parentReference": reference, "name": "Copy"])
        try await send(.DELETE, "/root:/Docs/c")
        let last = try await changes(link)
        _ = try await changes(last)
    }

    /// Follows the change feed to its end, for 20 pages at most; returns the link to go on with.
    private mutating func changes(_ address: String) async throws -> String {
        var page = try await send(.GET, address).json
        for _ in 0..<20 {
            guard let next = page["@odata.nextLink"]?.string else { break }
            page = try await send(.GET, next).json
        }
        return page["@odata.deltaLink"]?.string ?? ""
    }
}
