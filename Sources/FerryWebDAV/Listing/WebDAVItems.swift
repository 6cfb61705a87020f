import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

/// Makes items of the entries of an answer: finds where each is, and what it is.
struct WebDAVItems {
    /// The meaning of an entry.
    enum Meaning {
        /// The item that was asked for itself.
        case itself(MultistatusEntry)
        /// An item in it.
        case item(FileObject)
        /// Nothing that is there any more, or that came before.
        case nothing
    }

    private let provider: any WebDAVProvider
    private let freshness: WebDAVFreshness
    private var hrefs: HrefReader
    private var seen = NameFingerprints()

    /// Makes items of the answer to one request.
    ///
    /// - Parameters:
    ///   - provider: The provider that asked.
    ///   - head: The answer's head.
    ///   - folder: The item that was asked for.
    ///   - isDeep: `true` if items in folders below are expected.
    /// - Throws: `URLError.cannotParseResponse` for a path that no server can have.
    init(_ provider: any WebDAVProvider, _ head: HTTPResponse, folder: ItemPath, isDeep: Bool = false) throws {
        self.provider = provider
        freshness = WebDAVFreshness(provider.connection, head)
        hrefs = try HrefReader(provider.connection, folder: folder, isDeep: isDeep)
    }

    /// Returns what an entry means.
    ///
    /// An item that comes twice counts once.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: Its meaning.
    /// - Throws: `URLError.cannotParseResponse` for an item that is elsewhere.
    mutating func meaning(of entry: MultistatusEntry) throws -> Meaning {
        guard entry.href.count <= MultistatusLimits.href else {
            throw URLError.answer(.cannotParseResponse, description: "a path is too long: a folder may contain itself")
        }
        guard case .item(let name, let folder) = try hrefs.place(of: entry.href) else {
            noteHost()
            return .itself(entry)
        }
        // It was removed while the server made its list.
        if entry.status == 404 || entry.status == 410 { return .nothing }
        guard seen.insert(name, in: folder) else { return .nothing }
        let isFolder = try entry.isFolder(at: folder.appending(name), hasSlash: hrefs.hasSlash)
        var item = FileObject(
            name: name,
            in: folder,
            type: isFolder ? .directory : .file,
            size: isFolder ? nil : entry.properties.contentLength,
            modifiedDate: entry.properties.modifiedDate,
            creationDate: entry.properties.knownCreationDate,
            eTag: entry.properties.eTag,
            contentType: isFolder ? nil : entry.properties.contentType ?? ContentType.ofFile(named: name)
        )
        freshness.apply(to: &item)
        provider.complete(&item, with: entry.properties)
        return .item(item)
    }

    /// Returns whether an entry can't be understood before that of the folder itself has come.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: `true` for one of a host that nobody knows yet.
    func mustWait(_ entry: MultistatusEntry) -> Bool { hrefs.mustWait(entry.href) }

    /// Lets others know by which other name the server calls itself.
    private func noteHost() {
        guard let host = hrefs.otherHost, !provider.connection.facts.otherHosts.contains(host) else { return }
        provider.connection.learn { if $0.otherHosts.count < 8 { $0.otherHosts.insert(host) } }
    }

    /// Where the item of an entry is.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: Its path; `nil` for what was asked for itself.
    /// - Throws: `URLError.cannotParseResponse` for an item that is elsewhere.
    mutating func path(of entry: MultistatusEntry) throws -> ItemPath? {
        guard case .item(let name, let folder) = try hrefs.place(of: entry.href) else { return nil }
        return folder.appending(name)
    }

    /// The item that was asked for itself.
    ///
    /// - Parameters:
    ///   - entry: Its entry.
    ///   - path: Where it is.
    /// - Returns: The item.
    /// - Throws: The server's refusal to tell whether it is a folder.
    func item(_ entry: MultistatusEntry, at path: ItemPath) throws -> FileObject {
        let isFolder = try entry.isFolder(at: path, hasSlash: hrefs.hasSlash || path.isRoot)
        var item = FileObject(path: path, type: isFolder ? .directory : .file)
        if !isFolder {
            item.size = entry.properties.contentLength
            item.contentType = entry.properties.contentType ?? ContentType.ofFile(named: path.lastName)
        }
        item.modifiedDate = entry.properties.modifiedDate
        item.creationDate = entry.properties.knownCreationDate
        item.eTag = entry.properties.eTag
        freshness.apply(to: &item)
        provider.complete(&item, with: entry.properties)
        return item
    }
}

extension MultistatusEntry {
    /// Returns whether the item is a folder: as the server tells, else as its href looks.
    ///
    /// A kind that a server refuses to tell is not guessed: a folder that is taken for a file could be replaced by one.
    ///
    /// - Parameters:
    ///   - path: The item, for errors.
    ///   - hasSlash: `true` if it is addressed as a folder.
    /// - Returns: `false` for a file.
    /// - Throws: The server's refusal.
    func isFolder(at path: @autoclosure () -> ItemPath, hasSlash: Bool) throws -> Bool {
        if let isCollection = properties.isCollection { return isCollection }
        let refusal = status.flatMap { (200...299).contains($0) ? nil : $0 } ?? kindRefusal
        if let refusal, !hasSlash {
            throw HTTPServerError(.init(code: refusal), path: path(), serverDescription: description).mapped()
        }
        return hasSlash
    }
}

extension WebDAVProperties {
    /// When the item came to be; servers that don't know it may say 1970 (Nextcloud does).
    fileprivate var knownCreationDate: Date? {
        creationDate?.timeIntervalSince1970 == 0 ? nil : creationDate
    }
}
