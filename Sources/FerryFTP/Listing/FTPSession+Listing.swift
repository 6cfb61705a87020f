import FerryCore
import Foundation

/// The server's clock is not known yet, and the listing is too long to be held until it is.
struct FTPClockUnknown: Error {
    /// A file whose date can be compared.
    let sample: ItemPath
    /// Its date in the listing.
    let seconds: Double
}

extension FTPSession {
    /// Items of a page.
    private static let pageSize = 500

    /// Items that are held at most until the server's clock is known, or that hidden items are shown.
    private static let largestHeld = 2_000

    /// Lists a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - emit: Gets the items in pages; `false` ends the listing, and the connection with it.
    /// - Throws: `FTPFailure`, `FTPClockUnknown`; `CocoaError` where the folder can't be listed.
    func list(_ folder: ItemPath, emit: @escaping ([FileObject]) -> Bool) throws {
        if server.listsFacts {
            do {
                let path = try server.path(of: folder)
                return try list(folder, by: FTPCommand("MLSD", path), hasFacts: true, requiresDots: false, emit)
            } catch FTPFailure.refusal(let reply) where reply.code == 500 || reply.code == 502 {
                server.learn { $0.unknownCommands.insert("MLSD") }
            }
        }
        // Names with spaces, hyphens and wildcards in an argument mean something else to many servers.
        let change = try command("CWD", try server.path(of: folder))
        guard !change.isRefusal else { throw FTPFailure.refusal(change) }
        if server.options.listsHidden != false, server.known.knowsDashA != false {
            let isKnown = server.known.knowsDashA == true
            let requires = server.options.listsHidden == nil
            do {
                return try list(folder, by: FTPCommand("LIST -a"), hasFacts: false, requiresDots: requires, emit)
            } catch FTPFailure.refusal(let reply) where requires && !isKnown && !Self.saysNoFiles(reply) {
                server.learn { $0.knowsDashA = false }
            } catch is DotsMissing {
                // A server that has shown them shows them always: without them its listing has not come through.
                guard !isKnown else { throw FTPFailure.incomplete(nil) }
                server.learn { $0.knowsDashA = false }
            }
        }
        try list(folder, by: FTPCommand("LIST"), hasFacts: false, requiresDots: false, emit)
    }

    /// The listing lacks the folder itself, which `-a` would show.
    private struct DotsMissing: Error {}

    private func list(
        _ folder: ItemPath,
        by command: FTPCommand,
        hasFacts: Bool,
        requiresDots: Bool,
        _ emit: @escaping ([FileObject]) -> Bool
    ) throws {
        let own = try server.path(of: folder).bytes
        var reader = FTPListingReader(
            folder: folder,
            folderBytes: own,
            parser: FTPListParser(hasFacts: hasFacts, now: Date().timeIntervalSince1970),
            encoding: server.options.encoding
        )
        reader.clockOffset = hasFacts ? 0 : server.known.clockOffset
        var problem: (any Error)?
        var isWanted = true
        var end: FTPReply?
        func hand(atEnd: Bool) {
            while isWanted, reader.entries.count >= Self.pageSize || (atEnd && !reader.entries.isEmpty) {
                isWanted = emit(reader.take(Self.pageSize))
            }
        }
        do {
            end = try list(command) { bytes in
                do {
                    try reader.add(bytes)
                    if requiresDots, !reader.hasDots {
                        // A million lines without the folder itself are no answer to `-a`.
                        if reader.entries.count > Self.largestHeld { throw DotsMissing() }
                        return true
                    }
                    if reader.clockOffset == nil {
                        guard reader.entries.count > Self.largestHeld else { return true }
                        if let sample = reader.sample { throw sample }
                        reader.clockOffset = 0
                    }
                    hand(atEnd: false)
                } catch {
                    problem = error
                    return false
                }
                return isWanted
            }
        } catch FTPFailure.refusal(let reply) where Self.saysNoFiles(reply) {
            // An empty folder, at servers that know no other way to say so.
        }
        if let problem {
            retire()
            throw Self.readable(problem)
        }
        guard isWanted else { return retire() }
        do { try reader.end(end) } catch { throw Self.readable(error) }
        if hasFacts {
            // A server that has shown the folder itself shows it always.
            if reader.hasDots {
                if server.known.listsItself == nil { server.learn { $0.listsItself = true } }
            } else if server.known.listsItself == true {
                throw FTPFailure.incomplete(end)
            }
        }
        if requiresDots {
            guard reader.hasDots else { throw DotsMissing() }
            server.learn { $0.knowsDashA = true }
        }
        if reader.clockOffset == nil {
            if let sample = reader.sample { try learnClock(sample) }
            reader.clockOffset = server.known.clockOffset ?? 0
        }
        hand(atEnd: true)
    }

    private static func readable(_ error: any Error) -> any Error {
        switch error {
        case let error as FTPListParser.UnreadableLine:
            let text = FTPReply(code: 0, lines: [error.line]).text
            return FTPFailure.senseless("a line of the server's listing can't be read: \(text)")
        case is FTPLineSplitter.TooLong: return FTPFailure.senseless("a line of the server's listing never ends")
        case is FTPListingReader.CutOff: return FTPFailure.incomplete(nil)
        case is FTPListingReader.ForeignName:
            return FTPFailure.senseless("the server's listing names an item of another folder")
        default: return error
        }
    }

    private static func saysNoFiles(_ reply: FTPReply) -> Bool {
        [450, 550].contains(reply.code) && reply.text.lowercased().contains("no files")
    }

    /// Compares the date of a file in a listing with the one that `MDTM` tells, which is UTC.
    func learnClock(_ sample: FTPClockUnknown) throws {
        let reply = try command("MDTM", try server.path(of: sample.sample))
        let date = reply.isSuccess ? FTPListDate(rfc3659: reply.lastText) : nil
        server.learn { facts in
            guard facts.clockOffset == nil else { return }
            // Clocks are apart by quarters of an hour; the rest is what a listing leaves out.
            facts.clockOffset = date.map { Int(((sample.seconds - $0.seconds) / 900).rounded()) * 900 } ?? 0
        }
    }
}
