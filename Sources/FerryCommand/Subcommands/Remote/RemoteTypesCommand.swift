import ArgumentParser
import FerryCore

/// `ferry remote types`: the kinds of storages that a remote can be, and their options.
struct RemoteTypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "List the kinds of storages, and the options of each.",
        discussion: """
            An option is given as 'ferry remote add NAME --type TYPE --option NAME=VALUE'.

            EXAMPLES
              ferry remote types
              ferry remote types \(StorageKind.ofRemotes.last?.type ?? "TYPE")
              ferry remote types --json | jq -r '.options[].name'
            """
    )

    @Argument(help: "The kind to describe (default: all, a line each).", completion: .list(StorageKind.typeNames))
    var type: String?

    @Flag(help: "Print a JSON object for each.")
    var json = false

    func run() async throws {
        try await Session.run { session in
            let kinds = try type.map { [try StorageKind.named($0)] } ?? StorageKind.ofRemotes
            let output = session.output
            if json {
                for kind in kinds { try output.writeObject { Self.write(kind, to: &$0) } }
            } else if type != nil {
                for kind in kinds { try write(kind, session) }
            } else {
                try FactLines(kinds.map { ($0.type, $0.summary) }).write(to: output, styling: session.styling)
            }
        }
    }

    private func write(_ kind: StorageKind, _ session: Session) throws {
        var facts = [("type", kind.type), ("name", kind.displayName), ("about", kind.summary)]
        if let addressing = kind.addressing {
            facts.append(("url", addressing.example))
            facts.append(("schemes", addressing.schemes.map(\.written).joined(separator: ", ")))
        }
        facts.append(("login", kind.loginWords.joined(separator: ", ")))
        try FactLines(facts).write(to: session.output, styling: session.styling)
        let options = kind.options.filter { !$0.isLearned }
        if !options.isEmpty { try section("OPTIONS", session) }
        let width = options.map(\.name.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        for option in options {
            let name = option.name + String(repeating: " ", count: width - option.name.count)
            session.output.write("  " + session.styling.text(name, .good) + "  ")
            for (index, line) in Self.lines(Self.words(of: option), width: max(30, 80 - indent.count)).enumerated() {
                session.output.write(name: (index == 0 ? "" : indent) + line)
                try session.output.endLine()
            }
        }
        if !kind.examples.isEmpty { try section("EXAMPLES", session) }
        for line in kind.exampleLines.flatMap({ $0.split(separator: "\n") }) {
            session.output.write(name: "  " + line)
            try session.output.endLine()
        }
    }

    private func section(_ title: String, _ session: Session) throws {
        try session.output.endLine()
        session.output.write(session.styling.text(title, .faint))
        try session.output.endLine()
    }

    private static func words(of option: StorageOption) -> String {
        var notes: [String] = []
        switch option.value {
        case .flag, .number, .choice: notes.append(option.value.words)
        // The help says it already.
        case .text, .seconds, .file, .files, .program, .url, .secretFile: break
        }
        if option.isRequired { notes.append("required") }
        if let value = option.defaultValue { notes.append("default: \(value)") }
        return notes.isEmpty ? option.help : "\(option.help) (\(notes.joined(separator: "; ")))"
    }

    /// Breaks a text between words into lines of a width.
    private static func lines(_ text: String, width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + word.count < width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    private static func write(_ kind: StorageKind, to line: inout JSONLine) {
        line.text("type", kind.type)
        line.text("name", kind.displayName)
        line.text("summary", kind.summary)
        line.text("url", kind.addressing?.example)
        line.list("schemes", kind.addressing?.schemes.map(\.written) ?? [])
        line.list("logins", kind.loginWords)
        line.key("options")
        line.raw("[")
        for (index, option) in kind.options.filter({ !$0.isLearned }).enumerated() {
            if index > 0 { line.raw(",") }
            line.begin()
            line.text("name", option.name)
            line.text("help", option.help)
            line.text("value", option.value.sort)
            if case .choice(let words) = option.value { line.list("choices", words) }
            line.text("default", option.defaultValue)
            line.flag("required", option.isRequired)
            line.flag("secret", option.isSecret)
            line.endInner()
        }
        line.raw("]")
        line.list("examples", kind.examples.map { "ferry remote add " + $0 })
    }
}
