import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Tries out what a server does with conditions, dates and names, in a temporary folder that is removed again.
struct WebDAVProbe {
    private let connection: WebDAVConnection
    private let folder: ItemPath

    init(_ connection: WebDAVConnection) {
        self.connection = connection
        self.folder = .root.appending(TemporaryName.make(UUID()))
    }

    private var file: ItemPath { folder.appending("probe") }

    /// Tries it, and lets the connection know.
    ///
    /// - Parameter onlyDates: `true` to try out dates only, since all else is known.
    /// - Throws: Errors of the connection.
    func run(onlyDates: Bool) async throws {
        let answer = try await status(.mkcol, folder, isFolder: true)
        // RFC 4918 §9.3.1: forbidden, or not allowed here; 501 of servers that know no `MKCOL`.
        connection.learn { $0.refusesWriting = [403, 405, 501].contains(answer) }
        // A user who may not write here learns nothing more.
        guard answer == 201 else { return }
        try await withCleanUp {
            if !onlyDates {
                let again = try await status(.mkcol, folder, isFolder: true)
                connection.learn { $0.tried.refusesExistingFolders = again >= 400 }
            }
            guard try await put([:]) / 100 == 2 else { return }
            try await tryDates()
            try await tryMoves()
            if !onlyDates {
                try await tryDotNames()
                try await tryConditions()
                try await tryNames()
                try await tryRanges()
            }
            connection.learn { $0.isTried = true }
        } cleaningUp: {
            _ = try await status(.delete, folder, isFolder: true)
        }
    }

    private func tryConditions() async throws {
        let status = try await put([.ifNoneMatch: "*"])
        connection.learn { $0.tried.absenceCondition = status == 412 ? .ifNoneMatch : .impossible }
    }

    private func tryDates() async throws {
        let date = Date(timeIntervalSince1970: 1_500_000_000)
        var setting = WebDAVTraits.DateSetting.impossible
        _ = try await put([.modifiedTime: "1500000000"])
        if try await modifiedDate() == date { setting = .field }
        for candidate in [WebDAVTraits.DateSetting.lastModified, .win32, .seconds] where setting == .impossible {
            if try await takes(date, by: candidate), try await modifiedDate() == date { setting = candidate }
        }
        let found = setting
        connection.learn { $0.tried.dateSetting = found }
    }

    /// Returns whether a date isn't refused.
    ///
    /// lighttpd answers what is no XML, where a property is not one of WebDAV's own.
    private func takes(_ date: Date, by setting: WebDAVTraits.DateSetting) async throws -> Bool {
        do {
            return try await connection.setModifiedDate(date, of: file, by: setting) == nil
        } catch let error as URLError where error.code == .cannotParseResponse {
            return false
        }
    }

    /// Finds out whether names that begin with a dot are listed, and nothing else.
    ///
    /// - Throws: Errors of the connection.
    func runDotNames() async throws {
        guard try await status(.mkcol, folder, isFolder: true) == 201 else { return }
        try await withCleanUp {
            try await tryDotNames()
            connection.learn { $0.isTried = true }
        } cleaningUp: {
            _ = try await status(.delete, folder, isFolder: true)
        }
    }

    private func tryDotNames() async throws {
        let hidden = folder.appending(".probe")
        guard try await status(.put, hidden, body: HTTPRequestBody("probe")) / 100 == 2 else { return }
        let reply = try await connection.propfind(folder, isFolder: true, depth: .members, .existence)
        guard reply.status.code == 207 else { return await reply.discard() }
        var hrefs = try HrefReader(connection, folder: folder)
        var isListed = false
        for entry in try MultistatusParser.entries(of: try await reply.body.collect(upTo: 1 << 20)) {
            if case .item(let name, _) = try hrefs.place(of: entry.href), name == ".probe" { isListed = true }
        }
        let listsDotNames = isListed
        connection.learn { $0.tried.listsDotNames = listsDotNames }
    }

    /// Finds out whether the server, and a proxy before it, move anything: since most do, only that they don't is
    /// remembered.
    private func tryMoves() async throws {
        let target = folder.appending("moved")
        let request = connection.transferRequest(.move, file, to: target, isFolder: false, overwrite: false)
        let reply = try await connection.send(request, about: file)
        await reply.discard()
        switch reply.status.code {
        case 400, 403, 405, 501, 502: connection.learn { $0.tried.refusesMoves = true }
        case 200..<300:
            connection.learn { $0.tried.refusesMoves = nil }
            // The next requests need the file.
            _ = try await put([:])
        default: break
        }
    }

    private func tryNames() async throws {
        let upper = folder.appending("PROBE")
        let isCaseSensitive = try await status(.head, upper) != 200
        let composed = folder.appending("\u{E9}")
        let isWritten = try await status(.put, composed, body: HTTPRequestBody("x")) / 100 == 2
        let meetsOther = try await status(.head, folder.appending("e\u{301}")) == 200
        connection.learn { facts in
            facts.tried.isCaseSensitive = isCaseSensitive
            if isWritten { facts.tried.distinguishesNormalizationForms = !meetsOther }
        }
    }

    private func tryRanges() async throws {
        let status = try await status(.get, file, fields: [.range: "bytes=1-2"])
        connection.learn { $0.tried.readsRanges = status == 206 }
    }

    // MARK: Requests

    private func put(_ fields: HTTPFields) async throws -> Int {
        try await status(.put, file, fields: fields, body: HTTPRequestBody("probe"))
    }

    private func modifiedDate() async throws -> Date? {
        let reply = try await connection.send(.head, file)
        return reply.head.headerFields[.lastModified].flatMap { HTTPDate.parse($0) }
    }

    /// The status of an answer whose body nobody wants.
    private func status(
        _ method: HTTPRequest.Method,
        _ path: ItemPath,
        isFolder: Bool = false,
        fields: HTTPFields = HTTPFields(),
        body: HTTPRequestBody? = nil
    ) async throws -> Int {
        let reply = try await connection.send(method, path, isFolder: isFolder, fields: fields, body: body)
        for try await _ in reply.body {}
        return reply.status.code
    }
}
