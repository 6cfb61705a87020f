import FerryCore
import FerryUndo
import Foundation

/// One line of the history: something that was done, or is about to be.
///
/// A letter, the group's id, and what there is to say; so that a long history can be looked through without reading all
/// of what is in it.
enum HistoryLine {
    /// A group begins.
    case begun(UUID, HistoryHeader)
    /// An operation that is about to be done, or, the second time, the operation as it was done.
    case entry(UUID, HistoryEntry)
    /// An entry was done just as it was meant to be.
    case done(UUID, entry: UUID)
    /// Of an entry only the first steps are left: the others were taken back.
    case turned(UUID, entry: UUID, left: Int)
    /// A group is complete, and keeps so many bytes: by what locations on the storages begin with.
    case ended(UUID, kept: [String: Int64])
    /// The last step of an entry is about to be taken back; what that keeps gets this name.
    case turning(UUID, entry: UUID, name: String)
    /// The steps of taking back, which are added to those of an entry; the entry is new if there is none of its id.
    case did(UUID, HistoryEntry)
    /// Items came back as others.
    case renewed(UUID, [UndoRenewal])
    /// The kept content of a group had to make room: all of it, or that on one storage.
    case dropped(UUID, prefix: String? = nil)

    /// Returns what the line says.
    ///
    /// - Returns: The line, without its end; of a group's end one more for each storage that keeps something.
    /// - Throws: Nothing in practice: it is only text and numbers.
    func text() throws -> String {
        switch self {
        case .begun(let group, let header): "B \(group) \(try Self.json(header))"
        case .entry(let group, let entry): "E \(group) \(try entry.text())"
        case .done(let group, let entry): "C \(group) \(entry)"
        case .turned(let group, let entry, let left): "T \(group) \(entry) \(left)"
        case .ended(let group, let kept):
            (kept.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }.map { "K \(group) \($0.value) \($0.key)" }
                + ["F \(group) \(kept[""] ?? 0)"]).joined(separator: "\n")
        case .turning(let group, let entry, let name): "P \(group) \(entry) \(name)"
        case .did(let group, let entry): "A \(group) \(try entry.text())"
        case .renewed(let group, let renewals): "R \(group) \(try Self.json(renewals))"
        case .dropped(let group, nil): "D \(group)"
        case .dropped(let group, let prefix?): "D \(group) \(prefix)"
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// How a group began.
struct HistoryHeader: Codable, Hashable, Sendable {
    /// The kind of a group.
    enum Kind: Codable, Hashable, Sendable {
        /// A command did it.
        case done
        /// It took another one back.
        case undo(of: UUID)
        /// It did another one again.
        case redo(of: UUID)
    }

    var kind: Kind
    var date: Date
    /// All arguments but the command's own name.
    var arguments: [String]
    /// The folder that relative paths began in.
    var folder: String
    /// The command that does it.
    var process: ProcessMark
    /// The session of the terminal that it was given in.
    var session: ShellSession?
}

/// An entry, and the storage it happened on.
struct HistoryEntry: Codable, Hashable, Sendable {
    /// The prefix of the storage's locations; empty for this machine.
    var prefix: String
    var entry: UndoEntry
    /// The folders of this machine that it may not lead out of.
    var roots: [ItemPath]?
}
