import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// `ferry check`: compares two folders.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Compare two folders, on any storages, and change nothing.",
        usage: "ferry check [options] <source> <target>",
        discussion: """
            Prints what differs or is on one side only, an item a line.
            The exit code is 0 if the folders are the same, and 1 if they are not, or
            something can't be compared: with --checksum, files of storages that have no
            checksum of the same kind. --download compares those.

            With --json each line has an event: differs, uncompared, missing (at the
            target), extra, unreadable, with path and reason; at the end a summary.

            EXAMPLES
              ferry check ~/photos work:photos          checksums, or sizes and dates
              ferry check --download ~/photos work:photos     every byte
              ferry check --size-only a b --exclude '*.tmp'
            """
    )

    @Argument(help: .location("The folder to compare.", called: "source"), completion: .directory)
    var source: String

    @Argument(help: .location("The folder that should be like it.", called: "target"), completion: .directory)
    var target: String

    @Flag(help: "Compare checksums only; of files of this machine, contents.")
    var checksum = false

    @Flag(help: "Compare sizes only.")
    var sizeOnly = false

    @Flag(help: "Read every file on both sides, and compare the bytes.")
    var download = false

    @OptionGroup var filter: FilterOptions

    @Flag(help: "Print a JSON object a line.")
    var json = false

    func validate() throws {
        if [checksum, sizeOnly, download].count(where: { $0 }) > 1 {
            throw ValidationError("give one of --checksum, --size-only and --download")
        }
    }

    func run() async throws {
        try await Session.run { session in
            guard let named = try await session.locate(source), let goal = try await session.locate(target) else {
                return
            }
            try await session.attempt(named, goal) {
                var options = TransferOptions()
                options.comparison = checksum ? .checksum : sizeOnly ? .size : .standard
                options.filter = try await filter.filter(session)
                let work = Comparison(
                    session: session,
                    source: try await named.folder(),
                    target: try await goal.folder(),
                    options: options,
                    readsContents: download,
                    isForPrograms: json
                )
                try await work.run()
            }
        }
    }
}

/// One comparison.
private struct Comparison {
    let session: Session
    let source: Location
    let target: Location
    var options: TransferOptions
    let isForPrograms: Bool

    init(
        session: Session,
        source: Location,
        target: Location,
        options: TransferOptions,
        readsContents: Bool,
        isForPrograms: Bool
    ) {
        self.session = session
        self.source = source
        self.target = target
        self.options = options
        self.isForPrograms = isForPrograms
        self.options.readsContents = readsContents
    }

    func run() async throws {
        let transfer = try FerryTransfer.Transfer(
            from: TransferPlace(source.storage, source.path),
            to: TransferPlace(target.storage, target.path),
            options: options
        )
        let clock = ContinuousClock()
        let start = clock.now
        let board = TransferBoard()
        let display = TransferDisplay(title: source.text, board: board, console: session.console, events: nil)
        let journal = try await Jobs.open(session)?.journal
        let check = try await display.during { try await transfer.check(journal: journal, reporting: board.progress) }
        let findings = check.findings
        for finding in findings { try tell(finding) }
        try summarize(check, findings.count - check.uncompared.count, start.duration(to: clock.now))
        try session.output.flush()
        if !check.isSame { throw ExitCode.failure }
    }

    /// Returns whether of some files nothing but the sizes was compared.
    private func comparedSizesOnly(_ check: TransferCheck) -> Bool {
        !options.readsContents && options.comparison == .size || check.comparedBySize > 0
    }

    private func tell(_ finding: TransferCheck.Line) throws {
        if isForPrograms {
            try session.output.writeObject { line in
                line.text("event", finding.kind.rawValue)
                line.text("path", String(finding.path.string.dropFirst()))
                line.text("reason", finding.difference?.rawValue)
                line.text("error", finding.problem)
            }
        } else {
            let ownWords = finding.kind == .uncompared ? uncomparedWords : finding.difference?.words
            let reason = finding.problem ?? ownWords
            let words =
                finding.kind.words + "  " + TransferWords.path(finding.path) + (reason.map { "  (\($0))" } ?? "")
            session.output.write(name: TerminalText.oneLine(words))
            try session.output.endLine()
        }
    }

    /// The reason why two files could not be compared.
    private var uncomparedWords: String? {
        options.comparison == .checksum ? "no checksum of the same kind" : nil
    }

    private func summarize(_ check: TransferCheck, _ differences: Int, _ time: Duration) throws {
        if isForPrograms {
            return try session.output.writeObject { line in
                line.text("event", "summary")
                line.flag("isSame", check.isSame)
                line.number("same", Int64(check.same))
                if comparedSizesOnly(check) { line.flag("bySizeOnly", true) }
                line.number("differing", Int64(check.differing.count))
                line.number("uncompared", Int64(check.uncompared.count))
                line.number("missing", Int64(check.missing.count))
                line.number("extra", Int64(check.extra.count))
                line.number("unreadable", Int64(check.unreadable.count))
                line.number("seconds", decimal: time / .seconds(1))
            }
        }
        let same = comparedSizesOnly(check) ? "the same size" : "the same"
        let uncompared = check.uncompared.isEmpty ? "" : ", \(check.uncompared.count) not compared"
        session.output.write(
            "\(Quantity.count(check.same, "file")) \(same), \(Quantity.count(differences, "difference"))\(uncompared)"
        )
        try session.output.endLine()
        if check.uncompared.contains(where: { $0.problem == nil }) {
            try session.output.flush()
            session.console.tell("ferry: \(target.text): note: --download compares what has no checksum in common")
        }
        if check.comparedBySize > 0 {
            try session.output.flush()
            session.console.tell("ferry: \(target.text): note: \(TransferWords.sizeOnly("--download"))")
        }
    }
}

extension TransferCheck {
    /// A finding, and what it is.
    fileprivate struct Line {
        enum Kind: String {
            case differs, uncompared, missing, extra, unreadable

            /// In words.
            var words: String {
                switch self {
                case .differs: "differs"
                case .uncompared: "can't be compared"
                case .missing: "missing at target"
                case .extra: "missing at source"
                case .unreadable: "can't be read"
                }
            }
        }

        let kind: Kind
        let path: ItemPath
        let difference: Sameness.Difference?
        let problem: String?

        init(_ kind: Kind, _ finding: Finding) {
            self.kind = kind
            path = finding.path
            difference = finding.difference
            problem = finding.problem
        }
    }

    /// All that isn't the same, in the order of the paths.
    fileprivate var findings: [Line] {
        let lines =
            differing.map { Line(.differs, $0) } + uncompared.map { Line(.uncompared, $0) }
            + missing.map { Line(.missing, $0) } + extra.map { Line(.extra, $0) }
            + unreadable.map { Line(.unreadable, $0) }
        return lines.sorted { $0.path < $1.path }
    }
}
