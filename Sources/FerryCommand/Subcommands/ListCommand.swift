import ArgumentParser
import FerryCore
import FerryMedia
import Foundation

/// `ferry ls`: what is in a folder.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List folders.",
        discussion: """
            A file is listed itself. Folders below that can't be read are reported,
            and the others listed.

            With --json each item is an object on a line of its own, with the keys path,
            name, type (file, directory, symlink, other), size, modified, created, id,
            eTag and contentType; what is not known is left out. Dates are in UTC. Items
            come in the storage's order unless --sort says another.

            EXAMPLES
              ferry ls                          this folder
              ferry ls -l --human --sort size   the largest last, sizes as 4.0K
              ferry ls -R -a --json /data       all below, for programs
              ferry ls --gallery photos         pictures beside each other
            """
    )

    @Argument(help: .location("What to list (default: this folder)."), completion: .file())
    var locations: [String] = []

    @Flag(name: .shortAndLong, help: "Show mode, size, date, and what links point to.")
    var long = false

    @Flag(name: [.customShort("R"), .customLong("recursive")], help: "List all folders below, too.")
    var recursive = false

    @Flag(name: .shortAndLong, help: "Show hidden items, too.")
    var all = false

    @Flag(help: "Show also what ferry keeps there for undoing; implies --all.")
    var allHidden = false

    @Flag(help: "Show sizes as 4.0K, 12M, 3.4G.")
    var human = false

    @OptionGroup var ordering: OrderOptions

    @Flag(help: "Print a JSON object a line.")
    var json = false

    @Flag(help: "Show the pictures, on a terminal; see 'ferry thumbnail'.")
    var gallery = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if gallery, long || json { throw ValidationError("--gallery can't be combined with --long or --json") }
    }

    func run() async throws {
        // Pictures that are kept need not be made again.
        let cacheUse = gallery ? reading.ofContents : reading.ofItems
        try await Session.run(cacheUse, media: gallery ? MediaGenerator() : nil) { session in
            var listing = Listing(command: self, session: session)
            if gallery { listing.gallery = try await Gallery(session) }
            try await listing.list(locations.isEmpty ? ["."] : locations)
        }
    }
}

/// One run of `ferry ls`.
private struct Listing {
    let command: ListCommand
    let session: Session
    let style: ListingStyle
    let order: FileObjectSorting?
    var gallery: Gallery?
    var lines = ItemLines()
    var hasWritten = false

    init(command: ListCommand, session: Session) {
        self.command = command
        self.session = session
        style = ListingStyle(isLong: command.long, hasShortSizes: command.human, styling: session.styling)
        order = command.ordering.order(isForPrograms: command.json)
    }

    /// Files first, then folder by folder, as `ls` has it.
    mutating func list(_ texts: [String]) async throws {
        var folders: [Location] = []
        for text in texts {
            guard let location = try await session.locate(text) else { continue }
            // The listing tells whether it is a folder; over a line, one question less is time.
            if location.isRemote, texts.count == 1 { return try await list(location, isCertain: false) }
            try await session.attempt(location) {
                let (location, item) = try await location.resolved()
                if item.isDirectory {
                    folders.append(location)
                } else if let folder = try await folder(behind: item, location) {
                    folders.append(folder)
                } else {
                    try await write([item], named: text, location)
                }
            }
        }
        let hasHeaders = !command.json && (command.recursive || texts.count > 1)
        for folder in folders { try await list(folder, hasHeaders: hasHeaders) }
    }

    /// The folder that a link leads to; in the long form a link is shown itself.
    private func folder(behind item: FileObject, _ location: Location) async throws -> Location? {
        guard item.isSymbolicLink, !command.long else { return nil }
        do {
            let (target, item) = try await location.following()
            return item.isDirectory ? target : nil
        } catch is CocoaError {
            return nil  // a link that leads nowhere exists all the same
        }
    }

    /// Lists a folder.
    ///
    /// - Parameters:
    ///   - location: The folder.
    ///   - hasHeaders: `true` if each folder's items stand below its name.
    ///   - isCertain: `true` if it is known to be a folder; else a file is listed itself.
    /// - Throws: The error that ends the whole work.
    private mutating func list(_ location: Location, hasHeaders: Bool? = nil, isCertain: Bool = true) async throws {
        let hasHeaders = hasHeaders ?? (command.recursive && !command.json)
        // A contact sheet asks about the folder only; of its pictures, those that are kept and still right are shown.
        let asksAnew = gallery != nil && !command.reading.offline
        let fresh = asksAnew ? (location.storage as? any CachedStorage)?.fresh ?? location.storage : location.storage
        let walk = TreeWalk(
            command.allHidden ? location.storage.withoutRecording : fresh,
            path: location.path,
            recursive: command.recursive,
            includesHidden: command.all || command.allHidden,
            order: order
        )
        var lastHeader: ItemPath?
        for try await visit in walk {
            switch visit {
            case .failure(let error, let folder):
                if !isCertain, !hasWritten, folder == location.path, let item = try await file(at: location) {
                    return try await write([item], named: location.text, location)
                }
                try session.output.show()
                session.report(error, [location])
            case .page(let items, let folder):
                if hasHeaders, lastHeader != folder {
                    let title = location.display(folder)
                    // The name of a remote ends with a colon as it is.
                    try writeHeader(title, isTop: title.hasSuffix(":") && title == location.prefix)
                    lastHeader = folder
                }
                try await write(items, location)
                try session.output.show()
            }
        }
    }

    /// Returns what is there, if that can be known and is no folder.
    private func file(at location: Location) async throws -> FileObject? {
        do {
            let item = try await location.resolved().item
            return item.isDirectory ? nil : item
        } catch let error where Session.isEnd(error) {
            throw error
        } catch {
            return nil  // why the listing failed is what is told
        }
    }

    private mutating func writeHeader(_ title: String, isTop: Bool) throws {
        if hasWritten { try session.output.endLine() }
        session.output.write(name: title)
        if !isTop { session.output.write(byte: UInt8(ascii: ":")) }
        try session.output.endLine()
        hasWritten = true
    }

    private mutating func write(_ items: [FileObject], named name: String? = nil, _ location: Location) async throws {
        if !items.isEmpty { hasWritten = true }
        if let gallery { return try await gallery.show(items, location) }
        guard command.json else {
            return try await style.write(items, as: name, to: session.output) { item in
                try await location.storage.linkTarget(of: item)
            }
        }
        for item in items { try lines.write(item, to: session.output) }
    }
}
