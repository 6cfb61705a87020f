/// Work that contenders do in turn, and what is asked of the first of them.
struct Benchmark: Sendable {
    /// What selects it on the command line.
    let name: String

    /// What the table says.
    let title: String

    /// Where its files are; `nil` if it has none.
    var fileSystem: FileSystem?

    /// What is there before the first run.
    var files: SampleFiles?

    /// Ours first.
    let contenders: [Contender]

    /// How often one sample starts the contender: more than once for what takes milliseconds.
    var launches = 1

    /// What the contender's value counts.
    var unit = Unit.seconds

    /// What is asked of us.
    let targets: [Target]

    /// Where the sample files are.
    static func source(on fileSystem: FileSystem) -> String { fileSystem.folder + "/source" }

    /// Where contenders write to.
    static func output(on fileSystem: FileSystem) -> String { fileSystem.folder + "/output" }
}

/// Somebody who does the work.
struct Contender: Sendable {
    /// What the table calls it.
    let name: String

    /// The program and its arguments.
    let command: [String]

    /// Whether its own output is the value to report, instead of the time it took.
    var reportsValue = false

    /// A command that must succeed after the last run: it proves that the work was done.
    var check: [String]?

    /// What it leaves behind, removed after each run.
    var output: String?
}

/// Something that must hold for our own numbers.
enum Target: Sendable {
    /// The median is at most this.
    case value(atMost: Double)

    /// Our median is at most so many times that of another contender.
    case ratio(to: String, atMost: Double)

    /// No run held more memory than these bytes.
    case memory(atMost: Double)
}
