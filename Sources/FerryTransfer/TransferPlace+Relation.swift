import FerryCore
import Foundation

extension TransferPlace {
    /// How two places lie to each other.
    enum Relation {
        /// Nothing is in both, as far as anybody can tell.
        case apart
        case same
        /// One is in the other.
        case overlapping
        /// They are on one storage, and one begins with an identifier, which can lead anywhere.
        case unknown
    }

    /// Compares where two places are: on one storage by their paths, on this machine by what these really lead to.
    ///
    /// - Parameter other: The other place.
    /// - Returns: How they lie to each other.
    func relation(to other: TransferPlace) -> Relation {
        if isOnStorage(of: other) {
            if top == other.top { return .same }
            if top.isBelow(other.top) || other.top.isBelow(top) { return .overlapping }
            if top.beginsWithIdentifier || other.top.beginsWithIdentifier { return .unknown }
        }
        guard let first = realNames, let second = other.realNames else { return .apart }
        if first == second { return .same }
        return first.starts(with: second) || second.starts(with: first) ? .overlapping : .apart
    }

    /// Where it is on this machine, name by name from the root, whatever links its path goes through; `nil` if it is
    /// elsewhere.
    ///
    /// The last name is the item itself, also where that is a link; only the storage's own folder is what a link leads to.
    private var realNames: [[CChar]]? {
        guard let url = storage.url(of: top), url.isFileURL else { return nil }
        return url.withUnsafeFileSystemRepresentation { path -> [[CChar]]? in
            guard let path else { return nil }
            let names = Self.names(of: path)
            // A path that doesn't exist yet is no link either.
            for count in (0...(top.isRoot ? names.count : max(0, names.count - 1))).reversed() {
                let folder = [Self.slash] + names[..<count].joined(separator: [Self.slash]) + [0]
                guard let real = realpath(folder, nil) else { continue }
                defer { free(real) }
                return Self.names(of: real) + names[count...]
            }
            return names
        }
    }

    private static let slash = CChar(UInt8(ascii: "/"))

    private static func names(of path: UnsafePointer<CChar>) -> [[CChar]] {
        UnsafeBufferPointer(start: path, count: strlen(path)).split(separator: slash).map(Array.init)
    }
}
