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

    /// The folder that holds it, and its name there; `nil` for the top of the tree.
    private let origin: (above: CopiedFolder, name: RawName)?

    /// What is known of the original.
    let status: FileStatus

    /// Whether new items in the copy get a group or permissions from it.
    let inherits: Bool

    /// Whether the copy was there before, and is merged into.
    let isMerged: Bool

    /// Pieces of work that are left before the copy gets its dates.
    private let pending = Atomic(1)

    init(top status: FileStatus, inherits: Bool, isMerged: Bool) {
        origin = nil
        self.status = status
        self.inherits = inherits
        self.isMerged = isMerged
    }

    init(_ name: RawName, in folder: CopiedFolder, status: FileStatus, inherits: Bool, isMerged: Bool) {
        origin = (folder, name)
        self.status = status
        self.inherits = inherits
        self.isMerged = isMerged
    }

    /// One more piece of work.
    func begin() {
        pending.add(1, ordering: .relaxed)
    }

    /// One piece of work less.
    ///
    /// - Returns: Whether it was the last.
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
