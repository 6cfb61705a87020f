import FerryCore
import Foundation
import Synchronization

/// A folder that is being copied.
final class CopiedFolder: Sendable {
    /// The open original and its open copy.
    struct Pair: Sendable {
        let source: Descriptor
        let target: Descriptor
    }

    /// The state of the copy before.
    enum Kind {
        /// Nothing.
        case new
        /// A folder, in which files are replaced one by one.
        case merged
        /// A folder that an earlier run has left. Its contents can be relied on if nothing has changed in the source
        /// since a moment; `nil` if they can't.
        case resumed(since: timespec?)
    }

    /// The folder that holds it, and its name there; `nil` for the top of the tree.
    private let origin: (above: CopiedFolder, name: RawName)?

    /// The known status of the original.
    let status: FileStatus

    /// Indicates whether new items in the copy get a group or permissions from it.
    let inherits: Bool

    /// The state of the copy before.
    let kind: Kind

    /// Pieces of work that are left before the copy gets its dates.
    private let pending = Atomic(1)

    init(top status: FileStatus, inherits: Bool, _ kind: Kind) {
        origin = nil
        self.status = status
        self.inherits = inherits
        self.kind = kind.trusting(status)
    }

    init(_ name: RawName, in folder: CopiedFolder, status: FileStatus, inherits: Bool, isNew: Bool) {
        origin = (folder, name)
        self.status = status
        self.inherits = inherits
        kind = isNew ? .new : folder.kind.trusting(status)
    }

    /// Indicates whether files are put in plain sight, one by one.
    var isMerged: Bool {
        if case .merged = kind { true } else { false }
    }

    /// Indicates whether an earlier run may have left something in it.
    var isResumed: Bool {
        if case .resumed = kind { true } else { false }
    }

    /// Returns whether what an earlier run has left is a copy of a file: dates come last, so one that has the date of
    /// the original is complete.
    ///
    /// - Parameters:
    ///   - copy: The status of the copy.
    ///   - original: The file as it is now. With several names it is copied anew, so that they stay names of one file.
    /// - Returns: `true` if it need not be copied again.
    func keeps(_ copy: FileStatus, of original: FileStatus) -> Bool {
        guard case .resumed(let since?) = kind else { return false }
        return copy.isFile && copy.size == original.size && copy.linkCount == 1 && original.linkCount == 1
            && !original.mayHaveChanged(since: since) && copy.modified.isSame(as: original.modified)
    }

    /// One more piece of work.
    func begin() {
        pending.add(1, ordering: .relaxed)
    }

    /// One piece of work less.
    ///
    /// - Returns: `true` if it was the last.
    func end() -> Bool {
        pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    /// The path of an item in the folder, or of the folder itself; made when it is needed, since that costs more than
    /// the copying.
    func path(of name: UnsafePointer<CChar>?, below top: ItemPath) -> ItemPath {
        var names = name.map { [RawName($0)] } ?? []
        var folder = self
        while let origin = folder.origin {
            names.append(origin.name)
            folder = origin.above
        }
        return top.appending(names: names.reversed())
    }

    /// The names that lead from the top of the tree to an item in this folder.
    func relativePath(of name: UnsafePointer<CChar>) -> RawPath {
        var names = [RawName(name)]
        var folder = self
        while let origin = folder.origin {
            names.append(origin.name)
            folder = origin.above
        }
        let slash = [UInt8(ascii: "/")]
        return RawPath(
            relative: Array(
                names.reversed().map { $0.dropLast().map { UInt8(bitPattern: $0) } }.joined(separator: slash)
            )
        )
    }
}

extension CopiedFolder.Kind {
    /// Returns what is left of it in a folder: other files may be in one that has changed, with the sizes and dates of
    /// those that were in it.
    fileprivate func trusting(_ status: FileStatus) -> Self {
        guard case .resumed(let since?) = self, status.mayHaveChanged(since: since) else { return self }
        return .resumed(since: nil)
    }
}
