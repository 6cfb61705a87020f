import FerryCore

extension StorageKind {
    /// The schemes of all URLs, in a line of a help text.
    static var schemeWords: String {
        ofRemotes.compactMap(\.addressing).flatMap { $0.schemes.map(\.written) }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            .joined(separator: "|")
    }

    /// The example commands, each on lines of at most 80 columns that a shell joins.
    var exampleLines: [String] {
        examples.map { example in
            var lines = ["ferry remote add"]
            for word in example.split(separator: " ") {
                let isTooLong = (lines.last?.count ?? 0) + word.count > 62
                if isTooLong, word.hasPrefix("--") {
                    lines.append("  " + word)
                } else {
                    lines[lines.count - 1] += " " + word
                }
            }
            return lines.joined(separator: " \\\n")
        }
    }

    /// The names of the ways to log in.
    var loginWords: [String] { logins.map(\.words) }
}

extension String {
    /// The same text with more space before each line but the first.
    func indentedAfterFirstLine(by count: Int) -> String {
        replacing("\n", with: "\n" + String(repeating: " ", count: count))
    }
}
