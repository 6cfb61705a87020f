package import Foundation
import Synchronization

/// New files that are about to come to one folder: who records them writes them down together, before the first of them
/// comes and after the last, and not each by itself.
package final class ComingFiles: Sendable {
    /// A file that is about to come to where nothing is.
    package struct File: Sendable {
        package let path: ItemPath
        package let size: Int64
        package let modifiedDate: Date?

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - path: Its place.
        ///   - size: Bytes that will be written. Of a file without, nobody could tell after a kill whose it is.
        ///   - modifiedDate: The date that it is to have.
        package init(path: ItemPath, size: Int64, modifiedDate: Date?) {
            self.path = path
            self.size = size
            self.modifiedDate = modifiedDate
        }
    }

    /// Files at a time, at most: what a killed process has done of them is found out by looking at each.
    package static let most = 64

    /// Lists the files: in one folder, ``most`` of them at most.
    package let files: @Sendable () -> [File]

    private let kept = Mutex<(any AnyObject & Sendable)?>(nil)

    /// Announces files; nothing is done with that before one of them comes.
    ///
    /// - Parameter files: Says which files: in one folder, ``most`` of them at most.
    package init(_ files: @escaping @Sendable () -> [File]) {
        self.files = files
    }

    /// Returns the record that is kept with the files by whoever records them: undo, whose types are on a higher floor.
    ///
    /// - Parameter make: Makes the record, when the first of the files comes.
    /// - Returns: The same record each time; `nil` if there is one of another type.
    package func record<Record: AnyObject & Sendable>(_ make: () -> Record) -> Record? {
        kept.withLock { kept in
            if let kept { return kept as? Record }
            let record = make()
            kept = record
            return record
        }
    }
}

/// The items as they were seen just before they are changed: a storage at the other end of a line need not be asked
/// again before what is there is kept.
package struct SeenItems: Sendable {
    /// The items, as they were listed.
    package var items: [ItemPath: FileObject]

    /// The date at which they were listed: what somebody has changed after that, nobody has seen.
    package var date: Date

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - date: When they were listed.
    package init(_ items: [FileObject], date: Date) {
        self.items = Dictionary(items.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        self.date = date
    }
}
