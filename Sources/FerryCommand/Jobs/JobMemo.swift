import Foundation

/// The note that leads from a job of the journal back to the command that began it.
struct JobMemo: Codable, Hashable, Sendable {
    /// All arguments but the command's own name.
    var arguments: [String]

    /// The folder that relative paths began in.
    var folder: String

    /// The one of the sources that the job is about, in the person's words.
    var source: String

    /// The target, in the person's words.
    var target: String

    /// Says which job it is.
    ///
    /// - Parameters:
    ///   - arguments: All arguments but the command's own name.
    ///   - source: The source, in the person's words.
    ///   - target: The target, in the person's words.
    init(arguments: [String], source: String, target: String) {
        self.arguments = arguments
        folder = FileManager.default.currentDirectoryPath
        self.source = source
        self.target = target
    }

    /// Reads what was noted; `nil` for what another program has noted.
    init?(text: String?) {
        // A note that can't be decoded is not ours: the field is free for all who use the library.
        guard let text, let memo = try? JSONDecoder().decode(JobMemo.self, from: Data(text.utf8)) else { return nil }
        self = memo
    }

    /// Returns what is noted: the same for the same command.
    ///
    /// - Returns: One line.
    /// - Throws: Nothing in practice: it is only text.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
