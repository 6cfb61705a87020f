package import FerryCore
package import FerryHTTP
package import Foundation
package import HTTPTypes

extension WebDAVConnection {
    /// The depth of a request (RFC 4918 §10.2).
    package enum Depth: String, Sendable {
        /// The item alone.
        case item = "0"
        /// The item, and what is directly in it.
        case members = "1"
        /// The item, and all below it; most servers refuse it.
        case all = "infinity"
    }

    /// A question for properties.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` to ask for it as a folder, with a slash at the end.
    ///   - depth: The depth of the question: the item alone, or the items in it, too.
    ///   - request: Which properties.
    /// - Returns: The request.
    /// - Throws: `CocoaError.fileNoSuchFile` for a path that no server can have.
    package func propfindRequest(
        _ path: ItemPath,
        isFolder: Bool,
        depth: Depth,
        _ request: WebDAVPropertyRequest
    ) throws -> HTTPFileRequest {
        try checkAddressable(path)
        var fields = HTTPFields()
        fields[.depth] = depth.rawValue
        fields[.contentType] = "application/xml; charset=utf-8"
        fields[.acceptEncoding] = HTTPReply.acceptedEncodings
        let head = origin.request(.propfind, target(path, isFolder: isFolder), fields)
        return HTTPFileRequest(head, body: request.body)
    }

    /// Asks for properties.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - isFolder: `true` to ask for it as a folder, with a slash at the end.
    ///   - depth: The depth of the question: the item alone, or the items in it, too.
    ///   - request: Which properties.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Errors of the connection; `CocoaError.fileNoSuchFile` for a path that no server can have.
    package func propfind(
        _ path: ItemPath,
        isFolder: Bool,
        depth: Depth,
        _ request: WebDAVPropertyRequest
    ) async throws -> HTTPReply {
        try await ask(try propfindRequest(path, isFolder: isFolder, depth: depth, request), about: path)
    }

    /// Sends a question for properties.
    ///
    /// - Parameters:
    ///   - request: The question.
    ///   - path: The item.
    /// - Returns: The answer, whatever its status, unpacked.
    /// - Throws: Errors of the connection.
    package func ask(_ request: HTTPFileRequest, about path: ItemPath) async throws -> HTTPReply {
        try await send(request, about: path).decoded(limit: Self.longestAnswer)
    }

    /// Bytes of a compressed answer when it is no longer compressed: more than any list has.
    private static var longestAnswer: Int64 { 16 << 30 }

    /// The error that a refused question means.
    ///
    /// A base folder that is missing says nothing about the items in it: so that is looked at before anything but the
    /// base is called missing. And of an item "below" a file servers say many things (Apache 400, lighttpd 403): so it is
    /// looked at what is above.
    ///
    /// - Parameters:
    ///   - reply: The answer, whose body is read.
    ///   - path: The item that was asked for.
    /// - Returns: The error of the table.
    package func readingError(of reply: HTTPReply, path: ItemPath) async -> any Error {
        do {
            let answer = try await HTTPServerError.read(reply, path: path)
            switch answer.statusCode {
            case 404 where !path.isRoot, 410 where !path.isRoot: return try await missing(path, answer)
            case 400 where !path.parent.isRoot, 403 where !path.parent.isRoot, 409 where !path.parent.isRoot,
                500 where !path.parent.isRoot:
                return await isBelowFile(path) ? CocoaError.noSuchItem(path, underlying: answer) : answer.mapped()
            default: return answer.mapped()
            }
        } catch {
            return error
        }
    }

    private func missing(_ path: ItemPath, _ answer: HTTPServerError) async throws -> CocoaError {
        do {
            _ = try await isFolder(.root)
            return CocoaError.noSuchItem(path, underlying: answer)
        } catch let error as CocoaError where error.code == .fileNoSuchFile {
            return CocoaError.file(
                .fileReadUnknown,
                path: path,
                description: "the folder that everything is in is missing",
                suggestion: "check the address of the storage",
                underlying: answer
            )
        }
    }

    /// Returns whether something above an item is known to be a file, or to be missing.
    private func isBelowFile(_ path: ItemPath) async -> Bool {
        do {
            return try await !isFolder(path.parent)
        } catch {
            // An item that can't be looked at explains nothing.
            return (error as? CocoaError)?.code == .fileNoSuchFile
        }
    }

    /// The size of a file as it is listed.
    ///
    /// - Parameter path: The file.
    /// - Returns: Bytes; `nil` if the server doesn't say.
    /// - Throws: Errors of the connection, and of a server that refuses to say.
    package func listedSize(of path: ItemPath) async throws -> Int64? {
        let request = WebDAVPropertyRequest([WebDAVPropertyName("getcontentlength")])
        let reply = try await propfind(path, isFolder: false, depth: .item, request)
        guard reply.status.code == 207 else { throw await readingError(of: reply, path: path) }
        let data = try await reply.body.collect(upTo: 1 << 20)
        var hrefs = try HrefReader(self, folder: path)
        for entry in try MultistatusParser.entries(of: data) where try hrefs.place(of: entry.href) == .itself {
            return entry.properties.contentLength
        }
        return nil
    }

    /// Returns whether an item is a folder, as opposed to a file.
    ///
    /// - Parameter path: The item.
    /// - Returns: `false` for a file.
    /// - Throws: `CocoaError.fileNoSuchFile` and other errors of the table.
    package func isFolder(_ path: ItemPath) async throws -> Bool {
        let reply = try await propfind(path, isFolder: path.isRoot, depth: .item, .existence)
        guard reply.status.code == 207 else {
            if reply.status.kind == .successful { throw oddAnswer(reply.head) }
            throw await readingError(of: reply, path: path)
        }
        let data = try await reply.body.collect(upTo: 1 << 20)
        var hrefs = try HrefReader(self, folder: path)
        for entry in try MultistatusParser.entries(of: data) where try hrefs.place(of: entry.href) == .itself {
            if let status = entry.status, !(200...299).contains(status) {
                throw HTTPServerError(.init(code: status), path: path).mapped()
            }
            return try entry.isFolder(at: path, hasSlash: hrefs.hasSlash || path.isRoot)
        }
        throw URLError.answer(.cannotParseResponse, description: "the server says nothing about the item")
    }

    /// An answer of success that isn't what WebDAV answers.
    ///
    /// - Parameter head: The answer.
    /// - Returns: `URLError.cannotParseResponse`.
    package func oddAnswer(_ head: HTTPResponse) -> URLError {
        .answer(
            .cannotParseResponse,
            description: "the server answered \(head.status.code) where a WebDAV server answers 207",
            suggestion: "check the address of the storage: it may be that of a web page"
        )
    }

    /// Refuses paths that can't be asked for: `.` and `..`, escaped or not, are other items to every server, and a slash
    /// in a name is none.
    ///
    /// - Parameter path: The item.
    /// - Throws: `CocoaError.fileNoSuchFile`, for there can't be such an item; `.featureUnsupported` for an identifier.
    package func checkAddressable(_ path: ItemPath) throws {
        guard !path.beginsWithIdentifier else { throw CocoaError.unsupported("addressing by identifier", path: path) }
        // Only these need an escape, so nearly every path is done here.
        guard path.string.utf8.contains(0xF4) else { return }
        for component in path.components {
            let bytes = NameEscape.bytes(ofName: component)
            let isDots = bytes.count <= 2 && bytes.allSatisfy { $0 == UInt8(ascii: ".") }
            guard !isDots, !bytes.contains(UInt8(ascii: "/")), !bytes.contains(0) else {
                throw CocoaError.noSuchItem(path)
            }
        }
    }
}

extension WebDAVPropertyRequest {
    /// Asks for as little as tells that something is there.
    static let existence = WebDAVPropertyRequest([WebDAVPropertyName("resourcetype")])
}
