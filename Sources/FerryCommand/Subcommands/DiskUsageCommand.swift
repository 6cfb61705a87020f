import ArgumentParser
import FerryCore

/// `ferry du`: how much the folders hold.
struct DiskUsageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "du",
        abstract: "Show how many bytes folders hold.",
        discussion: """
            Counts the bytes of the files' contents, hidden ones too; links count nothing.
            A folder comes after those below it. What can't be read is reported, and not
            counted.

            EXAMPLES
              ferry du --human ~/photos
              ferry du -s --json * | jq .size
            """
    )

    @Argument(help: .location("What to count (default: this folder)."), completion: .file())
    var locations: [String] = []

    @Flag(name: .shortAndLong, help: "Show only the sum of each location.")
    var summarize = false

    @Flag(help: "Show sizes as 4.0K, 12M, 3.4G.")
    var human = false

    @Flag(help: "Print a JSON object a line: path, name, type and size.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        try await Session.run(reading.ofItems) { session in
            try await session.forEach(locations.isEmpty ? ["."] : locations) { location in
                let (location, item) = try await location.resolved()
                guard item.isDirectory else { return try write(item, item.size ?? 0, location, session) }
                _ = try await count(item, location, session, isTop: true)
            }
        }
    }

    /// Counts a folder with all below it.
    private func count(
        _ folder: FileObject,
        _ location: Location,
        _ session: Session,
        isTop: Bool
    ) async throws -> Int64 {
        var sum: Int64 = 0
        var below: [FileObject] = []
        for try await visit in TreeWalk(location.storage, path: folder.path, recursive: false) {
            switch visit {
            case .page(let items, _):
                for item in items {
                    if item.isDirectory { below.append(item) } else { sum += item.size ?? 0 }
                }
            case .failure(let error, _): session.report(error, [location])
            }
        }
        for item in below { sum += try await count(item, location, session, isTop: false) }
        if isTop || !summarize { try write(folder, sum, location, session) }
        return sum
    }

    private func write(_ item: FileObject, _ size: Int64, _ location: Location, _ session: Session) throws {
        if json {
            var lines = ItemLines()
            var counted = FileObject(name: item.name, in: item.folder, type: item.type, size: size)
            counted.path = item.path
            try lines.write(counted, to: session.output)
        } else {
            session.output.write((human ? Quantity.short(bytes: size) : String(size)) + "\t")
            session.output.write(name: location.display(item.path))
            try session.output.endLine()
        }
        try session.output.show()
    }
}
