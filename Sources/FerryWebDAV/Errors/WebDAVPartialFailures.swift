import FerryCore
import FerryHTTP
import HTTPTypes
import NIOCore

/// Looks for the first part that failed in an answer of 207 to a change (RFC 4918 §13), however long that is.
struct WebDAVPartialFailures {
    private let connection: WebDAVConnection
    private let path: ItemPath
    private let parser: MultistatusParser
    /// The refusal of a part that failed only since another has (424), as long as the other is not known.
    private var dependent: HTTPServerError?

    /// Makes a reader.
    ///
    /// - Parameters:
    ///   - connection: The connection whose answer it is.
    ///   - path: The item that the request was about.
    /// - Throws: When there is no memory for a parser.
    init(connection: WebDAVConnection, path: ItemPath) throws {
        self.connection = connection
        self.path = path
        parser = try MultistatusParser(keepsRefusals: true)
    }

    /// Reads on.
    ///
    /// - Parameter chunk: The next bytes.
    /// - Returns: The refusal of a part, if one has failed; the rest need not be read then.
    /// - Throws: `URLError.cannotParseResponse`.
    mutating func read(_ chunk: ByteBuffer) throws -> HTTPServerError? {
        try parser.parse(chunk)
        for entry in parser.takeEntries() where !entry.isSuccess {
            let failure = failure(entry)
            if failure.statusCode != 424 { return failure }
            dependent = dependent ?? failure
        }
        return nil
    }

    /// Makes sure that nothing is missing.
    ///
    /// - Returns: The refusal of a part that failed, if that was not returned before.
    /// - Throws: `URLError.cannotParseResponse` for an answer that ends early.
    func finish() throws -> HTTPServerError? {
        try parser.finish()
        return dependent
    }

    private func failure(_ entry: MultistatusEntry) -> HTTPServerError {
        let part = connection.path(ofHref: entry.hrefText) ?? path
        if let status = entry.status, !(200...299).contains(status) {
            return HTTPServerError(
                HTTPResponse.Status(code: status),
                path: part,
                serverDescription: entry.description ?? entry.error?.name.name
            )
        }
        // Of a `PROPPATCH`.
        let refusal = entry.refusals.first { $0.status != 424 } ?? entry.refusals.first
        let names = refusal?.names.map(\.name).joined(separator: ", ")
        return HTTPServerError(
            HTTPResponse.Status(code: refusal?.status ?? 500),
            path: part,
            serverDescription: refusal?.description ?? entry.description ?? refusal?.error?.name.name ?? names
        )
    }
}
