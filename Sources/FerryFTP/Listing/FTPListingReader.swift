import FerryCore
import Foundation

/// Makes items of a listing's bytes as they come.
struct FTPListingReader {
    /// A name leads elsewhere.
    struct ForeignName: Error {}

    /// The last line has no end, or lines are missing.
    struct CutOff: Error {}

    let folder: ItemPath
    let folderBytes: [UInt8]
    var parser: FTPListParser
    let encoding: FTPNameEncoding

    /// Seconds that the listing's dates are ahead of UTC; `nil` as long as nobody knows.
    var clockOffset: Int?

    /// Entries that nobody has taken yet.
    private(set) var entries: ArraySlice<FTPListEntry> = []

    /// Indicates whether the folder itself was among them.
    private(set) var hasDots = false

    /// Lines so far.
    private(set) var lineCount = 0
    private var splitter = FTPLineSplitter()

    init(folder: ItemPath, folderBytes: [UInt8], parser: FTPListParser, encoding: FTPNameEncoding) {
        (self.folder, self.folderBytes, self.parser, self.encoding) = (folder, folderBytes, parser, encoding)
    }

    /// A file whose date can be compared with another of it.
    var sample: FTPClockUnknown? {
        // A space at a name's end can't be asked for at some servers.
        let entry = entries.first {
            $0.kind == .file && $0.date?.precision == .minute && $0.date?.isUTC == false && $0.name.last != 0x20
        }
        guard let entry, let date = entry.date else { return nil }
        return FTPClockUnknown(sample: folder.appending(encoding.decode(entry.name)), seconds: date.seconds)
    }

    /// Adds bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) throws {
        var splitter = splitter
        try splitter.add(bytes) { try add(line: $0) }
        self.splitter = splitter
    }

    /// All bytes have come.
    ///
    /// - Parameter reply: The server's reply to it: Pure-FTPd counts.
    /// - Throws: `CutOff` where that isn't so: a data connection that was cut ends as one that is complete.
    mutating func end(_ reply: FTPReply?) throws {
        if splitter.end() != nil { throw CutOff() }
        if parser.hasFacts, let count = reply?.text.firstMatch(of: /(?:^|\s)([0-9]+) matches total/)?.1,
            Int(count) != lineCount
        {
            throw CutOff()
        }
        try parser.end()
    }

    private mutating func add(line: [UInt8]) throws {
        lineCount += 1
        guard var entry = try parser.parse(line) else { return }
        if entry.isDots {
            hasDots = true
            return
        }
        if entry.name.contains(UInt8(ascii: "/")) {
            // Some tell whole paths.
            let prefix = folderBytes.last == UInt8(ascii: "/") ? folderBytes : folderBytes + [UInt8(ascii: "/")]
            guard entry.name.starts(with: prefix) else { throw ForeignName() }
            entry.name.removeFirst(prefix.count)
            guard !entry.name.contains(UInt8(ascii: "/")) else { throw ForeignName() }
        }
        guard ![[], Array(".".utf8), Array("..".utf8)].contains(entry.name) else { return }
        entries.append(entry)
    }

    /// Takes items.
    mutating func take(_ count: Int) -> [FileObject] {
        let taken = entries.prefix(count)
        entries = ArraySlice(Array(entries.dropFirst(taken.count)))
        return taken.map { item($0) }
    }

    private func item(_ entry: FTPListEntry) -> FileObject {
        entry.item(in: folder, encoding: encoding, clockOffset: clockOffset ?? 0)
    }
}

extension FTPListEntry {
    /// The item that the entry is.
    ///
    /// - Parameters:
    ///   - folder: The folder that holds it.
    ///   - encoding: How the server writes names.
    ///   - offset: Seconds that the listing's dates are ahead of UTC.
    ///   - known: Its name, where that is known better.
    /// - Returns: The item.
    func item(in folder: ItemPath, encoding: FTPNameEncoding, clockOffset offset: Int, name known: String? = nil)
        -> FileObject
    {
        var item = FileObject(
            name: known ?? encoding.decode(name),
            in: folder,
            type: kind,
            size: size,
            modifiedDate: date?.date(clockOffset: offset),
            permissions: permissions
        )
        if let owner { item.extras[.owner] = owner }
        if let group { item.extras[.group] = group }
        if let target { item.extras[.linkDestination] = encoding.decode(target) }
        return item
    }
}
