import ArgumentParser
import FerryCore
import Foundation

/// `ferry find`: the items below a folder that fulfil a predicate.
struct FindCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find items by a predicate.",
        discussion: """
            Looks through a folder and all below it, and prints what it finds at once.
            Folders that can't be read are reported, and the search goes on. A storage
            that can search does so, as far as it goes; --explain shows how far.

            PREDICATES
              name CONTAINS[c] 'report'           [c] ignores case, [d] accents
              name LIKE '*.jpg' OR name ENDSWITH '.png'
              name MATCHES 'IMG_[0-9]+.*'         a regular expression
              fileSize BETWEEN {1000, 2000000}
              modifiedDate > '2026-01-31' AND NOT name BEGINSWITH '.'
              TRUEPREDICATE                       everything

            EXAMPLES
              ferry find . "name LIKE '*.pdf' AND fileSize > 1000000"
              ferry find --json /data "modifiedDate < '2020-01-01'" | jq -r .path
              ferry find work: "name CONTAINS[c] 'report'" --explain
            """,
        aliases: ["search"]
    )

    @Argument(help: .location("The folder to search in."), completion: .directory)
    var location: String

    @Argument(help: "What to look for, in predicate format.")
    var predicate: String

    @Flag(help: "Say which part the storage would do, and which ferry; search nothing.")
    var explain = false

    @Flag(help: "Print a JSON object a line.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func run() async throws {
        try await Session.run(reading.ofItems) { session in
            let query = try session.query(predicate)
            guard let named = try await session.locate(location) else { return }
            try await session.attempt(named) {
                let (start, item) = try await named.following()
                guard item.isDirectory else { throw CocoaError.notAFolder(named.path) }
                // The server says only when it is asked whether it searches by itself.
                try await start.storage.learnIfNeeded()
                if explain { return try show(start.storage.searchPlan(for: query), session) }
                var search = Search(session: session, location: start, isForPrograms: json)
                try await search.run(query)
            }
        }
    }

    private func show(_ plan: FileQueryPlan, _ session: Session) throws {
        session.output.write(plan.description)
        try session.output.endLine()
    }
}

/// One search as it goes on.
private struct Search {
    let session: Session
    let location: Location
    let isForPrograms: Bool
    var lines = ItemLines()

    init(session: Session, location: Location, isForPrograms: Bool) {
        self.session = session
        self.location = location
        self.isForPrograms = isForPrograms
    }

    mutating func run(_ query: FileQuery) async throws {
        guard location.storage.searchPlan(for: query).server == .all else {
            // The server searches; what it can't reach it does not tell.
            let found = location.storage.searchFiles(path: location.path, recursive: true, query: query)
            for try await page in found.pages { try write(page) }
            return
        }
        for try await visit in TreeWalk(location.storage, path: location.path) {
            switch visit {
            case .page(let items, _): try write(items.filter(query.matches))
            case .failure(let error, _):
                try session.output.show()
                session.report(error, [location])
            }
        }
    }

    private mutating func write(_ items: [FileObject]) throws {
        for item in items {
            if isForPrograms {
                try lines.write(item, to: session.output)
            } else {
                session.output.write(nameOf: item, as: location.display(item.path), styling: session.styling)
                try session.output.endLine()
            }
        }
        try session.output.show()
    }
}
