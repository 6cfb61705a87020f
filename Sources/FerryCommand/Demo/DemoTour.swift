import FerryCache
import FerryCore
import FerryLocal
import FerryMemory
import FerryTransfer
import FerryUndo
import Foundation

/// The steps of the demo.
struct DemoTour {
    let session: Session
    /// An empty folder of our own.
    let folder: ItemPath
    /// Where the local part plays, in that folder.
    let sample: ItemPath
    let local: LocalFileProvider
    let memory = MemoryFileProvider()

    private let clock = ContinuousClock()

    init(session: Session, folder: ItemPath) {
        self.session = session
        self.folder = folder
        sample = folder.appending("sample")
        local = LocalFileProvider(baseURL: URL(filePath: sample.string, directoryHint: .isDirectory))
    }

    /// Goes through all steps.
    ///
    /// - Throws: Any error that a step throws: there should be none.
    func run() async throws {
        let start = clock.now
        try write("One command, any storage. Here: a folder of this machine, memory, and a WebDAV server.", .bold)
        let made = try await make()
        let copy = try await copy(made)
        try await goOn(made)
        try await list()
        try await search()
        try await move()
        try await watch()
        try await refuse()
        try await versions()
        try await trash()
        try await picture()
        try await finish(made, copy, start.duration(to: clock.now))
    }

    // MARK: - Steps

    private func make() async throws -> SampleTree.Count {
        try title("Make a sample tree in \(sample.string)")
        let outside = LocalFileProvider(baseURL: URL(filePath: folder.string, directoryHint: .isDirectory))
        try await outside.create(folder: sample.lastName, at: .root)
        var tree = SampleTree()
        let (made, time) = try await timed { try await tree.make(on: local) }
        try done("\(Quantity.count(made.files, "file")), \(Quantity.words(bytes: made.bytes))", time, bytes: made.bytes)
        return made
    }

    private func copy(_ made: SampleTree.Count) async throws -> Duration {
        try title("Copy it into memory", "ferry cp -r \(sample.lastName) memory:")
        let operation = FileOperationType.copy(source: "/", destination: "/")
        try session.output.flush()
        let (report, time) = try await timed {
            try await ProgressBar.show(
                operation,
                title: "  copying",
                after: .milliseconds(20),
                staysAtEnd: true,
                on: session.console
            ) { progress in
                let transfer = try FerryTransfer.Transfer(from: TransferPlace(local), to: TransferPlace(memory))
                return try await transfer.run(reporting: progress)
            }
        }
        if let failure = report.failures.first { throw failure.error }
        try done("links stayed links, lengths were checked", time, bytes: made.bytes)
        return time
    }

    private func list() async throws {
        try title("List", "ferry ls -l memory:")
        let (items, time) = try await timed { try await memory.contentsOfDirectory(path: .root) }
        try await show(FileObjectSorting().sorted(items))
        try done(Quantity.count(items.count, "item"), time)
    }

    private func search() async throws {
        let predicate = "name CONTAINS[cd] 'amter' OR (name LIKE '*.jpg' AND fileSize > 390000)"
        try title("Search", "ferry find memory: \"\(predicate)\"")
        let query = try FileQuery(parsing: predicate)
        let (found, time) = try await timed {
            try await memory.searchFiles(path: .root, recursive: true, query: query, foundItemHandler: nil)
        }
        for item in found.prefix(3) { try line(item.path.string, session.styling.style(of: item)) }
        if found.count > 3 { try line("… and \(found.count - 3) more", .faint) }
        try done("\(found.count) found", time)
    }

    private func move() async throws {
        try title("Move a folder, remove another, and take both back", "ferry mv … && ferry rm -r … && ferry undo -n 2")
        let files = UndoableFileProvider(memory)
        let before = try await memory.contentsOfDirectory(path: .root).map(\.name)
        let (words, time) = try await timed {
            try await files.moveItem(path: "/Letters", to: "/Correspondence")
            let words = files.undoManager.undoTitle
            if let other = before.first(where: { $0 != "Letters" }) {
                try await files.removeItem(path: .root.appending(other))
                try await files.undo()
            }
            try await files.undo()
            return words
        }
        try line(words, .faint)
        let isBack = Set(try await memory.contentsOfDirectory(path: .root).map(\.name)) == Set(before)
        try done(isBack ? "all is where it was" : "lost on the way", time)
    }

    private func refuse() async throws {
        let letter: ItemPath = "/Letters/to Ada.txt"
        try title("Try to replace a letter without saying so", "echo oops | ferry write \"memory:Letters/to Ada.txt\"")
        do {
            try await memory.writeContents(path: letter, contents: Data("oops\n".utf8))
            throw CocoaError(.fileWriteUnknown)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            try line(ErrorLine(error, isOverwriting: false).text, .bad)
            try done("refused: nothing is replaced unless you say --overwrite")
        }
    }

    private func versions() async throws {
        let letter: ItemPath = "/Letters/to Ada.txt"
        try title("Replace it after all, and bring the old one back")
        let original = try await memory.contents(path: letter)
        let (_, time) = try await timed {
            try await memory.writeContents(path: letter, contents: Data("oops\n".utf8), overwrite: true)
            if let version = try await memory.versions(of: letter).first {
                try await memory.restore(version, of: letter)
            }
        }
        let isBack = try await memory.contents(path: letter) == original
        try done(isBack ? "memory keeps versions: every word is back" : "the old content is gone", time)
    }

    private func trash() async throws {
        try title("Put the photos of 2025 into the trash, and take them out again")
        let (_, time) = try await timed {
            let trashed = try await memory.trashItem(path: "/Photos/2025")
            try await memory.restoreFromTrash(trashed, to: nil)
        }
        let photos = try await memory.contentsOfDirectory(path: "/Photos/2025")
        try done("\(Quantity.count(photos.count, "photo")), safe and sound", time)
    }

    private func finish(_ made: SampleTree.Count, _ copy: Duration, _ whole: Duration) async throws {
        try session.output.endLine()
        let seconds = Double(copy.components.seconds) + Double(copy.components.attoseconds) / 1e18
        let speed = seconds > 0 ? Quantity.words(bytes: Int64(Double(made.bytes) / seconds)) : "∞"
        try write("All done in \(Quantity.time(whole)); copying ran at \(speed) a second.", .good)
        try write("The sample is removed again. Next: ferry --help, or ferry ls -l", nil)
    }
}

// MARK: - Telling

extension DemoTour {
    func timed<Result>(_ body: () async throws -> Result) async throws -> (Result, Duration) {
        let start = clock.now
        let result = try await body()
        return (result, start.duration(to: clock.now))
    }

    private func write(_ text: String, _ style: Styling.Style?) throws {
        session.output.write(session.styling.text(text, style))
        try session.output.endLine()
        try session.output.show()
    }

    func title(_ text: String, _ command: String? = nil) throws {
        try session.output.endLine()
        try write(text, .bold)
        if let command { try line("$ " + command, .faint) }
    }

    func line(_ text: String, _ style: Styling.Style? = nil) throws {
        try write("  " + session.styling.text(text, style), nil)
    }

    func done(_ text: String, _ time: Duration? = nil, bytes: Int64? = nil) throws {
        var facts = time.map { "  \(Quantity.time($0))" } ?? ""
        if let time, let bytes {
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            if seconds > 0 { facts += "  \(Quantity.words(bytes: Int64(Double(bytes) / seconds)))/s" }
        }
        try line(session.styling.text("✓ ", .good) + text + session.styling.text(facts, .faint))
    }

    private func show(_ items: [FileObject]) async throws {
        let style = ListingStyle(isLong: true, hasShortSizes: true, styling: session.styling)
        try await style.write(items, indent: "  ", to: session.output) { try await memory.linkTarget(of: $0) }
    }
}

extension DemoTour {
    /// Renames a folder on the disk, and shows what somebody hears who watches.
    func watch() async throws {
        try title("Watch the sample while a folder of it gets another name", "ferry watch \(sample.lastName)")
        let changes = try await local.changes(under: .root)
        let (heard, time) = try await timed { () -> FileChange? in
            try await local.moveItem(path: "/Letters", to: "/Correspondence")
            var iterator = changes.makeAsyncIterator()
            return try await iterator.next()
        }
        guard let heard, case .moved(let previous) = heard.kind else {
            return try done("nobody told of it", time)
        }
        try line("moved       \(previous) -> \(heard.path)")
        try await local.moveItem(path: "/Correspondence", to: "/Letters")
        try done("one change, with all that is in the folder", time)
    }
}

extension DemoTour {
    /// Lists a folder on the server, and once more from what was kept of it.
    func listTwice(_ server: DemoServer, _ work: ItemPath) async throws {
        let folder: ItemPath = "/Photos/2025"
        let address = server.url.absoluteString + folder.string.dropFirst()
        try title(
            "List a folder there, and once more without asking",
            "ferry ls \(address) ; ferry ls --offline \(address)"
        )
        let place = URL(filePath: work.appending("cache").string)
        let asking = CachedFileProvider(server.files, store: CacheStore(at: place), options: .doNotReturnCachedResult)
        let (told, asked) = try await timed { try await asking.contentsOfDirectory(path: folder) }
        try done("\(Quantity.count(told.count, "item")) from the server", asked)
        // As another run would: what it shows comes from the disk.
        let offline = CachedFileProvider(server.files, store: CacheStore(at: place), options: .onlyIfCached)
        let (kept, looked) = try await timed { try await offline.contentsOfDirectory(path: folder) }
        guard kept == told else { throw CocoaError(.fileReadUnknown) }
        try done("the same \(Quantity.count(kept.count, "item")) from the cache", looked)
    }
}
