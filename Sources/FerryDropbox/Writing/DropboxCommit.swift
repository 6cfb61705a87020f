import FerryCore
import FerryHTTP
import Foundation

/// Under which name, on which condition and with which date a content becomes a file.
struct DropboxCommit: Sendable, Hashable {
    /// The file.
    var path: ItemPath

    /// The condition for replacing, and the date.
    let options: WriteOptions

    /// A Boolean value that indicates whether Dropbox chooses another name if the file's is taken.
    var keepsBoth = false

    /// The members of the argument.
    var members: [String: JSONValue] {
        var members: [String: JSONValue] = ["path": .text(DropboxPath.text(path)), "mode": mode]
        // Without, a content that is there already would count as written.
        if options.ifMatch != nil || !options.overwrite { members["strict_conflict"] = true }
        if keepsBoth { members["autorename"] = true }
        if let date = options.modifiedDate, let text = DropboxDate.text(date) {
            members["client_modified"] = .text(text)
        }
        return members
    }

    private var mode: JSONValue {
        if let rev = options.ifMatch { return [".tag": "update", "update": .text(rev)] }
        return options.overwrite ? "overwrite" : "add"
    }

    /// A Boolean value that indicates whether sending the same again does no harm.
    var isRepeatable: Bool { options.ifMatch == nil && options.overwrite }

    /// Refuses a condition that no revision can meet.
    ///
    /// - Throws: `PreconditionFailedError`.
    func checkCondition() throws {
        guard let rev = options.ifMatch else { return }
        guard Self.isRevision(rev) else { throw PreconditionFailedError(path: path) }
    }

    /// Returns whether a text can be a revision.
    ///
    /// - Parameter text: The text.
    /// - Returns: `false` for what the server would not understand.
    static func isRevision(_ text: String) -> Bool {
        text.utf8.count >= 9
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// The error that callers see when the file can't be written.
    ///
    /// - Parameter error: The error that Dropbox has answered.
    /// - Returns: An error of the table.
    func refusal(_ error: DropboxError) -> any Error {
        if error.reason == .exists, options.ifMatch != nil, error.tags.last != "folder" {
            return PreconditionFailedError(path: path, serverDescription: error.serverDescription)
        }
        return error.mapped(whileWriting: true, target: path)
    }
}
