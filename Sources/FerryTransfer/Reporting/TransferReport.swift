import FerryCore
public import Foundation

/// A report of what a transfer has done; as JSON it can be kept.
public struct TransferReport: Sendable, Codable {
    /// Something that could not be done.
    public struct Failure: Sendable {
        /// The action that was to be done.
        public var action: TransferAction
        /// The error that kept it from being done; a ``RecordedError`` in a report that was read.
        public var error: any Error
    }

    /// A kind of loss: something that was kept at the source and can't be kept at the target.
    public enum Loss: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
        /// Contents of files that the storage has changed while it took them, as SharePoint does with documents.
        case contents
        /// Dates of files.
        case dates
        /// Permissions of files that can be executed.
        case permissions
        /// Extended attributes of files, and of folders where these are copied as a whole.
        case extendedAttributes
        /// Symbolic links, which were left out.
        case links
        /// That several files are names of one.
        case hardLinks
        /// Emptied folders that stay, since their storage may hold something in them that it never lists.
        case folders
        /// The rule that a name never shows half of a file: the target can write new files in place only.
        case atomicity

        /// In words.
        public var words: String {
            switch self {
            case .contents: "contents"
            case .dates: "dates"
            case .permissions: "permissions"
            case .extendedAttributes: "extended attributes"
            case .links: "symbolic links"
            case .hardLinks: "hard links"
            case .folders: "emptied folders"
            case .atomicity: "atomic writes"
            }
        }
    }

    /// The number of actions by kind.
    public var counts: [TransferAction.Kind: Int] = [:]

    /// Files that were taken for the same of which nothing but the size could be compared: an edit that keeps the size is
    /// not seen.
    ///
    /// With a journal these are files that this journal has not seen written: of the others it knows which date the original
    /// had then.
    public var comparedBySize = 0

    /// Bytes that were moved.
    public var bytes: Int64 = 0

    /// The failures, in the order in which they came out.
    public var failures: [Failure] = []

    /// Items of which something was lost.
    public var losses: [Loss: Int] = [:]

    /// The error for which the journal could not be kept up, so that an interruption would have cost more; `nil` if all
    /// was well.
    public var journalFailure: RecordedError?

    /// Indicates whether all was done that was meant to.
    public var isComplete: Bool { failures.isEmpty }

    /// Makes an empty report.
    public init() {}

    /// The report for people: a line for each kind of what was done, of what was lost, and for each failure.
    public var lines: [String] {
        TransferAction.Kind.allCases.compactMap { kind in counts[kind].map { "\(kind.words): \($0)" } }
            + Loss.allCases.compactMap { loss in
                losses[loss].map { "\(loss == .folders ? "left" : "lost") \(loss.words): \($0)" }
            }
            + failures.map(\.description)
    }
}

extension TransferReport.Failure: CustomStringConvertible {
    /// One line: `add /a.txt: the storage is full`.
    public var description: String { "\(action.kind.words) \(action.path): \(error.reasonInWords)" }
}

extension TransferReport.Failure: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, path, reason, error
    }

    /// Reads a failure.
    ///
    /// - Parameter decoder: Where to read.
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        action = TransferAction(
            try values.decode(TransferAction.Kind.self, forKey: .kind),
            try values.decode(ItemPath.self, forKey: .path),
            try values.decode(TransferAction.Reason.self, forKey: .reason)
        )
        error = try values.decode(RecordedError.self, forKey: .error)
    }

    /// Writes a failure: what was to be done where, and the error in words.
    ///
    /// - Parameter encoder: Where to write.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(action.kind, forKey: .kind)
        try values.encode(action.path, forKey: .path)
        try values.encode(action.reason, forKey: .reason)
        try values.encode(RecordedError(error), forKey: .error)
    }
}

/// An error as it can be kept: without what only the running program knows.
public struct RecordedError: LocalizedError, Sendable, Hashable, Codable {
    /// The error's domain, as `NSError` has it.
    public var domain: String

    /// The code, as `NSError` has it.
    public var code: Int

    /// The error, for people.
    public var description: String

    /// A suggestion for a person.
    public var suggestion: String?

    /// Records an error.
    ///
    /// - Parameter error: Any error.
    public init(_ error: any Error) {
        if let recorded = error as? RecordedError {
            self = recorded
            return
        }
        let known = error as NSError
        domain = known.domain
        code = known.code
        description = error.reasonInWords
        suggestion = known.localizedRecoverySuggestion ?? (error as? any LocalizedError)?.recoverySuggestion
    }

    /// The description.
    public var errorDescription: String? { description }

    /// A suggestion.
    public var recoverySuggestion: String? { suggestion }
}
