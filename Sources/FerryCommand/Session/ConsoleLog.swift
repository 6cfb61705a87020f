import Logging

/// Shows on the standard error what providers log, for whoever wants to know what goes over the line.
struct ConsoleLog: LogHandler {
    /// The variable that turns it on; its value is a level, such as `debug`.
    static let variable = "FERRY_LOG"

    /// The least severe level that is shown.
    var logLevel: Logger.Level

    /// The metadata that is shown with every message.
    var metadata: Logger.Metadata = [:]

    private let console: Console

    /// The logger that a person wants.
    ///
    /// - Parameters:
    ///   - environment: `FERRY_LOG` says from which level on messages are shown.
    ///   - console: Where.
    /// - Returns: `nil` if nobody wants any.
    static func logger(_ environment: [String: String], console: Console) -> Logger? {
        guard let level = environment[variable].flatMap({ Logger.Level(rawValue: $0.lowercased()) }) else { return nil }
        return Logger(label: "ferry") { _ in ConsoleLog(logLevel: level, console: console) }
    }

    private init(logLevel: Logger.Level, console: Console) {
        self.logLevel = logLevel
        self.console = console
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Shows a message on a line of its own.
    func log(event: LogEvent) {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let words = ["\(event.level): \(event.message)"] + facts.map { "\($0.key)=\($0.value)" }
        console.tell(TerminalText.oneLine(words.joined(separator: " ")))
    }
}
