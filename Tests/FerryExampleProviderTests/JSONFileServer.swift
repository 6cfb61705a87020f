import FerryCore
import FerryHTTP
import FerryMemory
import FerryTestServers
import Foundation
import HTTPTypes
import NIOCore
import Synchronization

/// The server of the small JSON API, in this process; what it keeps is in memory.
final class JSONFileServer: Sendable {
    /// The token that it takes at first.
    static let token = "a token of the test"

    /// Items of a page.
    static let pageSize = 100

    let files: MemoryFileProvider
    let token = Mutex<String>(token)
    /// Indicates whether every page but the first fails.
    let failsPages = Mutex(false)
    /// Indicates whether answers have another form than the API says.
    let isSenseless = Mutex(false)

    /// Dates are those of HTTP: whole seconds.
    init() {
        files = MemoryFileProvider(now: { Self.wholeSeconds(Date().timeIntervalSince1970) })
    }

    private static func wholeSeconds(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds.rounded(.down)) }

    /// Answers a request.
    @Sendable func answer(_ request: LoopbackRequest) async throws -> LoopbackAnswer {
        guard request["Authorization"] == "Bearer \(token.withLock { $0 })" else {
            return problem(.unauthorized, "log in first")
        }
        do {
            return try await route(request)
        } catch let error as CocoaError {
            let status: HTTPResponse.Status =
                switch error.code {
                case .fileNoSuchFile, .fileReadNoSuchFile: .notFound
                case .fileWriteFileExists: .conflict
                case .fileWriteOutOfSpace: HTTPResponse.Status(code: 507)
                case .fileReadUnknown, .fileWriteUnknown: .badRequest
                case .fileWriteNoPermission: .forbidden
                default: .unprocessableContent
                }
            return problem(status, "it can't be done: \(error.code.rawValue)")
        } catch is PreconditionFailedError {
            return problem(.preconditionFailed, "changed meanwhile")
        }
    }

    private func route(_ request: LoopbackRequest) async throws -> LoopbackAnswer {
        let target = request.target.split(separator: "?", maxSplits: 1).map(String.init)
        let names = target[0].split(separator: "/", omittingEmptySubsequences: true).dropFirst()
        let path = names.dropFirst().reduce(ItemPath.root) { $0.appending(Self.name($1)) }
        switch (request.head.method, names.first) {
        case (.get, "items"): return try await describe(path)
        case (.delete, "items"):
            try await files.removeItem(path: path)
            return LoopbackAnswer(.noContent)
        case (.get, "folders"): return try await list(path, token: target.dropFirst().first)
        case (.post, "folders"):
            try await files.create(folder: path.lastName, at: path.parent)
            return try await describe(path, .created)
        case (.get, "content"): return try await content(of: path, request)
        case (.put, "content"): return try await write(path, request)
        case (.post, "move"), (.post, "copy"): return try await transfer(request, isMove: names.first == "move")
        default: return problem(.methodNotAllowed, "no such thing")
        }
    }

    private static func name(_ segment: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(segment.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? byte)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return NameEscape.name(ofBytes: bytes)
    }

    // MARK: Answers

    private struct Item: Encodable {
        var name: String
        var folder: Bool
        var size: Int64?
        var modified: Double?
        var tag: String?
        var mediaType: String?

        init(_ file: FileObject) {
            name = file.name
            folder = file.isDirectory
            size = file.isDirectory ? nil : file.size
            modified = file.modifiedDate?.timeIntervalSince1970
            tag = file.eTag.flatMap(ContentVersion.normalized)
            mediaType = file.contentType
        }
    }

    private struct Page: Encodable {
        var items: [Item]
        var next: String?
    }

    private struct Problem: Encodable {
        var message: String
    }

    private struct Transfer: Decodable {
        var from: String
        var to: String
        var overwrite: Bool
    }

    private func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> LoopbackAnswer {
        if isSenseless.withLock({ $0 }) { return LoopbackAnswer(status, text: "[1, 2") }
        return LoopbackAnswer(
            status,
            fields: [.contentType: "application/json"],
            body: ByteBuffer(bytes: try JSONEncoder().encode(value))
        )
    }

    private func problem(_ status: HTTPResponse.Status, _ message: String) -> LoopbackAnswer {
        LoopbackAnswer(status, fields: [.contentType: "application/json"], text: #"{"message": "\#(message)"}"#)
    }

    private func describe(_ path: ItemPath, _ status: HTTPResponse.Status = .ok) async throws -> LoopbackAnswer {
        try json(status, Item(try await files.attributesOfItem(path: path)))
    }

    private func list(_ path: ItemPath, token: String?) async throws -> LoopbackAnswer {
        let start = token?.split(separator: "=").last.flatMap { Int($0) } ?? 0
        if start > 0, failsPages.withLock({ $0 }) { return problem(.internalServerError, "out of order") }
        let items = try await files.contentsOfDirectory(path: path)
        let page = items.dropFirst(start).prefix(Self.pageSize)
        let next = start + page.count
        return try json(.ok, Page(items: page.map { Item($0) }, next: next < items.count ? "\(next)" : nil))
    }

    private func transfer(_ request: LoopbackRequest, isMove: Bool) async throws -> LoopbackAnswer {
        let transfer = try JSONDecoder().decode(Transfer.self, from: Data(request.body.readableBytesView))
        let (source, target) = (try ItemPath(parsing: transfer.from), try ItemPath(parsing: transfer.to))
        if isMove {
            try await files.moveItem(path: source, to: target, overwrite: transfer.overwrite)
        } else {
            try await files.copyItem(path: source, to: target, overwrite: transfer.overwrite)
        }
        return try await describe(target)
    }

    // MARK: Contents

    private func write(_ path: ItemPath, _ request: LoopbackRequest) async throws -> LoopbackAnswer {
        let options = WriteOptions(
            overwrite: request["If-None-Match"] != "*",
            ifMatch: request["If-Match"].map(Self.withoutQuotes),
            modifiedDate: request["X-Modified"].flatMap { Double($0) }.map(Self.wholeSeconds),
            contentType: request["Content-Type"]
        )
        let data = Data(request.body.readableBytesView)
        guard let file = try await files.writeStream(path: path, contents: DataChunks(data), options: options) else {
            return problem(.internalServerError, "nothing was written")
        }
        return try json(.created, Item(file))
    }

    private static func withoutQuotes(_ tag: String) -> String { tag.replacing("\"", with: "") }

    private func content(of path: ItemPath, _ request: LoopbackRequest) async throws -> LoopbackAnswer {
        let file = try await files.attributesOfItem(path: path)
        let content = try await files.contents(path: path)
        let tag = file.eTag.flatMap(ContentVersion.normalized)
        var fields: HTTPFields = [.contentType: file.contentType ?? "application/octet-stream"]
        fields[.eTag] = tag
        fields[.lastModified] = file.modifiedDate.flatMap(HTTPDate.format)
        if let condition = request["If-None-Match"], condition == tag {
            return LoopbackAnswer(.notModified, fields: fields)
        }
        let holds = request["If-Range"].map { $0 == tag } ?? true
        guard holds, let wanted = request["Range"].flatMap({ Self.range($0, size: content.count) }) else {
            return LoopbackAnswer(.ok, fields: fields, body: ByteBuffer(bytes: content))
        }
        guard !wanted.isEmpty else {
            fields[.contentRange] = "bytes */\(content.count)"
            return LoopbackAnswer(.rangeNotSatisfiable, fields: fields)
        }
        fields[.contentRange] = "bytes \(wanted.lowerBound)-\(wanted.upperBound - 1)/\(content.count)"
        let part = content.dropFirst(wanted.lowerBound).prefix(wanted.count)
        return LoopbackAnswer(.partialContent, fields: fields, body: ByteBuffer(bytes: part))
    }

    private static func range(_ field: String, size: Int) -> Range<Int>? {
        let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard field.hasPrefix("bytes="), ends.count == 2 else { return nil }
        return switch (Int(ends[0]), Int(ends[1])) {
        case (nil, let count?): max(0, size - count)..<size
        case (let first?, let last): min(first, size)..<max(min(first, size), min(last.map { $0 + 1 } ?? size, size))
        case (nil, nil): nil
        }
    }
}
