import ArgumentParser
import FerryCore
import Foundation

/// `ferry tree`: a folder and all below it, drawn.
struct TreeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Draw a folder and all below it.",
        discussion: """
            Links are shown with what they point to, and not followed.

            EXAMPLES
              ferry tree
              ferry tree -L 2 ~/photos       two levels
              ferry tree -a --sort modified  hidden items too, the latest last
            """
    )

    @Argument(help: .location("Where to begin (default: this folder)."), completion: .file())
    var locations: [String] = []

    @Flag(name: .shortAndLong, help: "Show hidden items, too.")
    var all = false

    @Option(name: [.customShort("L"), .customLong("levels")], help: "Go no deeper than this many levels.")
    var levels: Int?

    @OptionGroup var ordering: OrderOptions

    @Flag(help: "Print a JSON object a line instead of a drawing.")
    var json = false

    @OptionGroup var reading: ReadingOptions

    func validate() throws {
        if let levels, levels < 1 { throw ValidationError("--levels must be 1 or more") }
    }

    func run() async throws {
        try await Session.run(reading.ofItems) { session in
            try await session.forEach(locations.isEmpty ? ["."] : locations) { location in
                let item = try await location.following().item
                guard item.isDirectory else { throw CocoaError.notAFolder(location.path) }
                let start = try await location.following().location
                var drawing = TreeDrawing(command: self, session: session, location: start)
                try await drawing.draw()
            }
        }
    }
}

/// One tree as it is drawn.
private struct TreeDrawing {
    let command: TreeCommand
    let session: Session
    let location: Location
    let order: FileObjectSorting?
    var folders = 0
    var others = 0
    var lines = ItemLines()

    init(command: TreeCommand, session: Session, location: Location) {
        self.command = command
        self.session = session
        self.location = location
        order = command.ordering.order(isForPrograms: command.json)
    }

    mutating func draw() async throws {
        if !command.json {
            session.output.write(name: location.text)
            try session.output.endLine()
        }
        try await draw(location.path, indent: "", level: 1)
        guard !command.json else { return }
        try session.output.endLine()
        session.output.write("\(Quantity.count(folders, "folder")), \(Quantity.count(others, "file"))")
        try session.output.endLine()
    }

    private mutating func draw(_ folder: ItemPath, indent: String, level: Int) async throws {
        let walk = TreeWalk(
            location.storage,
            path: folder,
            recursive: false,
            includesHidden: command.all,
            order: order
        )
        var items: [FileObject] = []
        for try await visit in walk {
            switch visit {
            case .page(let page, _): items += page
            case .failure(let error, _):
                try session.output.show()
                session.report(error, [location])
            }
        }
        for (index, item) in items.enumerated() {
            let isLast = index == items.count - 1
            if item.isDirectory { folders += 1 } else { others += 1 }
            if command.json {
                try lines.write(item, to: session.output)
            } else {
                try await write(item, indent + (isLast ? "└── " : "├── "))
            }
            if item.isDirectory, level < command.levels ?? .max {
                try await draw(item.path, indent: indent + (isLast ? "    " : "│   "), level: level + 1)
            }
        }
        try session.output.show()
    }

    private func write(_ item: FileObject, _ branch: String) async throws {
        session.output.write(branch)
        session.output.write(nameOf: item, styling: session.styling)
        if item.isSymbolicLink, let target = try await location.storage.linkTarget(of: item) {
            session.output.write(" -> ")
            session.output.write(name: target)
        }
        try session.output.endLine()
    }
}
