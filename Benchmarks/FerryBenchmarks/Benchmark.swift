/// Work that contenders do in turn, and what is asked of the first of them.
struct Benchmark: Sendable {
    /// The name that selects it on the command line.
    let name: String

    /// The title in the table.
    let title: String

    /// Where its files are; `nil` if it has none.
    var fileSystem: FileSystem?

    /// The files that are there before the first run.
    var files: SampleFiles?

    /// Work that is done once, when the files are there and before the first run.
    var setUp: (@Sendable (Command) throws -> Void)?

    /// The emulated cloud services that the contenders use; `nil` for none.
    var clouds: CloudServer?

    /// Indicates whether each run finds emulated services that are new and empty, since they keep in memory whatever
    /// they were ever sent.
    var startsCloudsAnew = false

    /// Ours first.
    var contenders: [Contender]

    /// The limit that nobody can be faster than.
    var limit: Limit?

    /// The treatment of the contenders' output.
    var output = Output.none

    /// How often one sample starts the contender: more than once for what takes milliseconds.
    var launches = 1

    /// The processes whose memory is measured.
    var memory = MemoryOf.program

    /// The unit of the contender's value.
    var unit = Unit.seconds

    /// The targets for our own numbers.
    var targets: [Target]

    /// The same benchmark with another build of `ferry` as the only peer, than which ours is to be at most a tenth
    /// slower, by time and by processor time.
    ///
    /// - Parameters:
    ///   - program: The path of `ferry`.
    ///   - before: The other build's.
    /// - Returns: The benchmark; `nil` if `ferry` itself is not what it measures.
    func comparing(_ program: String, to before: String) -> Self? {
        guard let ours = contenders.first, ours.command("").first == program, !ours.reportsValue else { return nil }
        let name = "ferry before"
        let other = Contender(
            name: name,
            preparation: ours.preparation,
            command: { [before] + ours.command($0).dropFirst() },
            check: ours.check
        )
        var benchmark = self
        benchmark.contenders = [ours, other]
        benchmark.targets = [.ratio(to: name, atMost: 1.1), .processorRatio(to: name, atMost: 1.1)]
        return benchmark
    }

    /// Where the sample files are.
    static func source(of name: String, on fileSystem: FileSystem) -> String { "\(fileSystem.folder)/\(name)" }

    /// Where a part of the sample files is, for a benchmark that makes one.
    static func part(of name: String, on fileSystem: FileSystem) -> String {
        source(of: name, on: fileSystem) + "-part"
    }

    /// Where a contender writes to, each time somewhere else.
    static func output(of name: String, _ number: Int, on fileSystem: FileSystem) -> String {
        "\(fileSystem.folder)/\(name)-\(number)"
    }
}

/// Somebody who does the work.
struct Contender: Sendable {
    /// The name in the table.
    let name: String

    /// The program and its arguments, for a place to write to.
    let command: @Sendable (_ output: String) -> [String]

    /// Indicates whether its own output is the value to report, instead of the time it took.
    var reportsValue = false

    /// A command that must succeed before each run, and whose time doesn't count.
    var preparation: (@Sendable (_ output: String) -> [String])?

    /// A command that must succeed after the last run: it proves that the work was done.
    var check: (@Sendable (_ output: String) -> [String])?

    /// A contender whose command is always the same.
    init(name: String, command: [String], reportsValue: Bool = false, check: [String]? = nil) {
        self.name = name
        self.command = { _ in command }
        self.reportsValue = reportsValue
        if let check { self.check = { _ in check } }
    }

    /// A contender that writes.
    init(
        name: String,
        reportsValue: Bool = false,
        preparation: (@Sendable (_ output: String) -> [String])? = nil,
        command: @escaping @Sendable (_ output: String) -> [String],
        check: (@Sendable (_ output: String) -> [String])? = nil
    ) {
        self.name = name
        self.reportsValue = reportsValue
        self.preparation = preparation
        self.command = command
        self.check = check
    }
}

/// A limit that nobody can be faster than: stated beside our numbers.
enum Limit: Sendable {
    /// Another contender, which does less.
    case contender(String)

    /// Seconds that follow from the work itself, and how.
    case seconds(Double, String)
}

/// The treatment of the files that a contender writes.
enum Output: Sendable {
    /// It writes none.
    case none

    /// They are removed at once, since they are large.
    case removed

    /// They stay until all is measured, since they are many: ext4 doesn't give an inode again in the minutes after it
    /// was freed, and creating files among thousands of such inodes takes thirty times as long as elsewhere.
    case kept
}

/// The processes whose memory is measured.
enum MemoryOf: Sendable {
    /// The largest single program's: what GNU time tells.
    case program

    /// All programs' together, what they share counted once.
    case tree
}

/// Something that must hold for our own numbers.
enum Target: Sendable {
    /// The median is at most this.
    case value(atMost: Double)

    /// Our median is at most so many times that of another contender.
    case ratio(to: String, atMost: Double)

    /// No run held more memory than these bytes.
    case memory(atMost: Double)

    /// The median of our processor time is at most so many times that of another contender.
    case processorRatio(to: String, atMost: Double)

    /// Our peak memory is at most so many times that of another contender.
    case memoryRatio(to: String, atMost: Double)

    /// The number of our requests is at most so many times that of another contender.
    case requestRatio(to: String, atMost: Double)

    /// No target: the numbers of requests, ours beside that of another contender, are only shown.
    case requests(beside: String)

    /// No target: the bytes of bodies, ours beside those of another contender, are only shown.
    case bodyBytes(beside: String)
}
