import Foundation

/// An option of a kind of storage: a key in ``ProviderConfiguration/options``, with all that a program needs to ask for
/// it.
public struct StorageOption: Sendable, Hashable {
    /// The values that an option can have.
    public enum Value: Sendable, Hashable {
        /// Any text.
        case text
        /// `true` or `false`.
        case flag
        /// A whole number.
        case number(ClosedRange<Int64>)
        /// A number of seconds.
        case seconds
        /// One of a few words.
        case choice([String])
        /// The path of a file on this machine.
        case file
        /// Paths of files on this machine, with commas between them.
        case files
        /// A program: its path, or a name that is looked for in `PATH`.
        case program
        /// A URL.
        case url
        /// The path of a file with a secret in it, which is stored with the passwords and not in the configuration; a
        /// file of the right sort contains the text.
        case secretFile(containing: String)
    }

    /// The key in configurations.
    public let name: String

    /// The purpose, in a few words that begin with a capital letter.
    public let help: String

    /// The values that it can have.
    public let value: Value

    /// The value that holds when it is left out, in words; `nil` if nothing does.
    public let defaultValue: String?

    /// Indicates whether a storage can't be opened without it.
    public let isRequired: Bool

    /// Indicates whether it stands for a secret, which is stored with the passwords.
    public var isSecret: Bool {
        if case .secretFile = value { true } else { false }
    }

    /// Indicates whether the provider writes it down itself, having asked its server: nobody need give it.
    public let isLearned: Bool

    /// Indicates whether two storages that differ in it only may show different files.
    public var decidesAccount = false

    /// Indicates whether a person at a terminal is asked for it where it is missing, and may leave it out.
    public var isAskedFor = false

    /// Makes an option.
    ///
    /// - Parameters:
    ///   - name: The key in configurations.
    ///   - help: The purpose, in a few words that begin with a capital letter.
    ///   - value: The values that it can have.
    ///   - defaultValue: The value that holds when it is left out.
    ///   - isRequired: `true` if a storage can't be opened without it.
    ///   - isLearned: `true` if the provider writes it down itself.
    public init(
        _ name: String,
        _ help: String,
        value: Value = .text,
        default defaultValue: String? = nil,
        isRequired: Bool = false,
        isLearned: Bool = false
    ) {
        self.name = name
        self.help = help
        self.value = value
        self.defaultValue = defaultValue
        self.isRequired = isRequired
        self.isLearned = isLearned
    }

    /// Returns whether the option can have a value, as far as its kind of value says; providers may know better.
    ///
    /// - Parameter text: The value as it is written.
    /// - Returns: `false` for a value that can't be right.
    public func accepts(_ text: String) -> Bool {
        switch value {
        case .text, .file, .files, .program, .secretFile: true
        case .flag: OptionReader.flags.keys.contains(text.lowercased())
        case .number(let range): Int64(text).map { range.contains($0) } ?? false
        case .seconds: Int64(text).map { (1...86_400).contains($0) } ?? false
        case .choice(let words): words.contains(text)
        case .url: URL(written: text)?.scheme != nil
        }
    }
}

extension StorageOption {
    /// Returns the option as one that decides which files a storage shows.
    ///
    /// - Returns: The option.
    public func decidingAccount() -> StorageOption {
        var option = self
        option.decidesAccount = true
        return option
    }

    /// Returns the option as one that a person is asked for.
    ///
    /// - Returns: The option.
    public func askedFor() -> StorageOption {
        var option = self
        option.isAskedFor = true
        return option
    }
}

extension StorageOption.Value {
    /// The values in words, as in "it can be …".
    public var words: String {
        switch self {
        case .text: "any text"
        case .flag: "true or false"
        case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .seconds: "1 to 86400 seconds"
        case .choice(let words): words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "nothing")
        case .file: "the path of a file"
        case .files: "paths of files, with commas between them"
        case .program: "a program"
        case .url: "a URL"
        case .secretFile: "the path of a file that holds it"
        }
    }

    /// The sort of value in one word, for programs: `text`, `flag`, `number`, `seconds`, `choice`, `file`, `files`,
    /// `program`, `url`.
    public var sort: String {
        switch self {
        case .text: "text"
        case .flag: "flag"
        case .number: "number"
        case .seconds: "seconds"
        case .choice: "choice"
        case .file, .secretFile: "file"
        case .files: "files"
        case .program: "program"
        case .url: "url"
        }
    }
}
