import FerryCore
import Foundation

extension FTPSession {
    /// Returns what stands at a path.
    ///
    /// 550 alone never says that nothing is there: then the folder above is listed.
    ///
    /// - Parameter path: Any path.
    /// - Returns: The item; `nil` if it is clear that there is none.
    /// - Throws: `FTPFailure` or `CocoaError` where the server does not let us know.
    func item(at path: ItemPath) throws -> FileObject? {
        let place = try server.path(of: path)
        if path.isRoot { return try rootItem(place) }
        if server.tellsFacts {
            let reply = try command("MLST", place)
            if reply.isSuccess, let entry = Self.entry(in: reply) {
                return entry.item(
                    in: path.parent,
                    encoding: server.options.encoding,
                    clockOffset: 0,
                    name: path.lastName
                )
            }
            switch FTPRefusalMeaning(reply) {
            case .missing where reply.isRefusal: return nil
            case .denied: throw FTPFailure.refusal(reply)
            default: break
            }
        }
        return try listedItem(at: path)
    }

    /// The facts of `MLST`, on the line that begins with a space.
    static func entry(in reply: FTPReply) -> FTPListEntry? {
        reply.lines.dropFirst().lazy.compactMap { line -> FTPListEntry? in
            FTPFactLine.parse(Array(line.drop { $0 == 0x20 }))
        }
        .first
    }

    private func rootItem(_ place: FTPPath) throws -> FileObject? {
        let reply = try command("CWD", place)
        if reply.isRefusal {
            if FTPRefusalMeaning(reply) == .missing { return nil }
            // Servers that say no more than that it failed say so of a folder that is gone, too.
            guard FTPRefusalMeaning(reply) == .unclear, try !isListed(place) else { throw FTPFailure.refusal(reply) }
            return nil
        }
        var root = FileObject(path: .root, type: .directory)
        if server.tellsFacts {
            let reply = try command("MLST", place)
            if reply.isSuccess, let entry = Self.entry(in: reply) {
                root.modifiedDate = entry.date?.date(clockOffset: 0)
                root.permissions = entry.permissions
            }
        }
        return root
    }

    /// Returns whether the folder above the provider's root, which is none of its items, names the root.
    private func isListed(_ place: FTPPath) throws -> Bool {
        let slash = UInt8(ascii: "/")
        guard let split = place.bytes.lastIndex(of: slash), place.bytes.count > 1 else { return true }
        let name = Array(place.bytes[(split + 1)...])
        let above = FTPPath(item: .root, bytes: split == 0 ? [slash] : Array(place.bytes[..<split]))
        guard try !command("CWD", above).isRefusal else { return true }
        var isThere = false
        var splitter = FTPLineSplitter()
        var parser = FTPListParser(hasFacts: server.listsFacts, now: Date().timeIntervalSince1970)
        var problem: (any Error)?
        let isHiding = server.listsFacts || server.known.knowsDashA == false
        try list(FTPCommand(server.listsFacts ? "MLSD" : isHiding ? "LIST" : "LIST -a")) { bytes in
            do {
                try splitter.add(bytes) { if try parser.parse($0)?.name == name { isThere = true } }
                return true
            } catch {
                problem = error
                return false
            }
        }
        if problem != nil { retire() }
        return problem != nil || isThere || splitter.end() != nil
    }

    private func listedItem(at path: ItemPath, isRepeated: Bool = false) throws -> FileObject? {
        let name = path.lastName
        var found: FileObject?
        do {
            try list(path.parent) { page in
                if let item = page.first(where: { $0.name.hasSameBytes(as: name) }) { found = item }
                return true
            }
            return found
        } catch let clock as FTPClockUnknown {
            // The listing was given up, and the connection with it.
            retire()
            throw clock
        } catch FTPFailure.refusal(let reply) {
            if path.parent.isRoot, FTPRefusalMeaning(reply) == .denied { throw FTPFailure.refusal(reply) }
            guard let parent = try item(at: path.parent), parent.isDirectory || parent.isSymbolicLink else {
                return nil
            }
            // The folder may have been made in between.
            guard isRepeated else { return try listedItem(at: path, isRepeated: true) }
            throw FTPFailure.refusal(reply)
        }
    }
}

extension FTPSession {
    /// Returns whether a file or a folder is at a path, found without a listing.
    ///
    /// A link to nothing, and what can't be looked at, may be taken for nothing.
    ///
    /// - Parameters:
    ///   - path: Any path.
    ///   - looksForFolder: `true` to look for a folder where there is no file, if that takes a second question.
    /// - Returns: Its kind: file or folder; `nil` for nothing.
    /// - Throws: `FTPFailure`, errors of Foundation's.
    func quickKind(at path: ItemPath, looksForFolder: Bool = true) throws -> FileObject.Kind? {
        if server.tellsFacts { return try item(at: path)?.type }
        let place = try server.path(of: path)
        try requireBinary()
        let size = try command("SIZE", place)
        if size.isSuccess { return .file }
        if size.isUnknownCommand { return try item(at: path)?.type }
        guard looksForFolder else { return nil }
        return try command("CWD", place).isSuccess ? .directory : nil
    }
}
