import FerryCore
import Foundation

/// Makes new folders together with the small files that go into them, at a storage that is quicker so.
///
/// A run that is killed meanwhile leaves nothing that the next could use: so a folder gets its name after a while, and what
/// is left of its files comes one by one.
struct NewFolderCopier: Sendable {
    /// How long files go into a folder that has no name yet.
    private static let longestTime = Duration.seconds(10)
    /// Bytes that go into one, at most.
    private static let mostBytes: Int64 = 64 << 20

    private let source: SmallFiles
    private let target: any FileProviderFolderWriting
    private let top: TransferPlace
    private let limits: BulkLimits
    private let lanes: Int
    private let pacing: Pacing?
    private let clock: any Clock<Duration>

    /// Makes one; `nil` where folders are made first, and filled then.
    ///
    /// - Parameters:
    ///   - transfer: Between which places. From a source at the other end of a line files come one by one, many at a time.
    ///   - lanes: Files at the same time, at most.
    ///   - pacing: Keeps the limit of the line.
    ///   - control: Lets the reading wait while the transfer is paused.
    init?(_ transfer: Transfer, lanes: Int, pacing: Pacing?, control: TransferControl?) {
        guard transfer.source.isNear, transfer.options.order == nil,
            let storage = transfer.target.storage as? any FileProviderFolderWriting,
            let limits = storage.newFolderLimits
        else { return nil }
        source = SmallFiles(transfer, limits, control)
        target = storage
        top = transfer.target
        self.limits = limits
        self.lanes = lanes
        self.pacing = pacing
        clock = transfer.clock
    }

    /// Returns what can go into a new folder with it.
    ///
    /// - Parameter actions: The actions to be done in the folder.
    /// - Returns: Where these are among them; nothing if it isn't worth while.
    func choose(from actions: [TransferAction]) -> [Int] {
        let places = actions.indices.filter { actions[$0].kind == .add && source.size(of: actions[$0]) != nil }
        return places.count > 1 ? places : []
    }

    /// Makes a folder with files in it.
    ///
    /// - Parameters:
    ///   - folder: The folder, from the top of the transfer.
    ///   - actions: The actions that copy the files.
    ///   - passed: Called with the number of files that are about to be sent, and their bytes.
    /// - Returns: Which of the actions are done; the others are as they were.
    /// - Throws: Why there is no folder.
    func make(
        _ folder: ItemPath,
        _ actions: [TransferAction],
        _ passed: @escaping @Sendable (_ files: Int, _ bytes: Int64) -> Void
    ) async throws -> [Int: Came] {
        let reading = Reading(actions, clock.measure())
        try await target.writeFolder(path: top.path(folder), lanes: lanes) {
            let files = try await reading.next(source, limits, to: top)
            let bytes = files.reduce(0) { $0 + $1.contents.count }
            try await pacing?.pass(bytes)
            passed(files.count, Int64(bytes))
            return files
        }
        return await reading.done
    }

    /// A file that has come.
    struct Came: Sendable {
        /// Bytes that were sent.
        let length: Int64
        /// Indicates whether the original has extended attributes; `nil` if nobody has looked.
        let hasExtendedAttributes: Bool?
    }

    /// Goes through the files, portion by portion.
    private actor Reading {
        private let actions: [TransferAction]
        private let elapsed: @Sendable () -> Duration
        private var position = 0
        private var bytes: Int64 = 0
        private(set) var done: [Int: Came] = [:]

        init(_ actions: [TransferAction], _ elapsed: @escaping @Sendable () -> Duration) {
            self.actions = actions
            self.elapsed = elapsed
        }

        func next(_ source: SmallFiles, _ limits: BulkLimits, to top: TransferPlace) async throws -> [BulkFile] {
            while position < actions.count, bytes < NewFolderCopier.mostBytes, elapsed() < NewFolderCopier.longestTime {
                let start = position
                var sum: Int64 = 0
                while position < actions.count, position - start < limits.fileCount,
                    sum + actions[position].bytes <= Int64(limits.byteCount)
                {
                    sum += actions[position].bytes
                    position += 1
                }
                bytes += sum
                var files: [BulkFile] = []
                // A file that can't be read is tried by itself, and reported then.
                for (index, result) in try await source.read(Array(actions[start..<position]), to: top).enumerated() {
                    guard case .success(let read) = result else { continue }
                    files.append(read.file)
                    done[start + index] = Came(
                        length: Int64(read.file.contents.count),
                        hasExtendedAttributes: read.hasExtendedAttributes
                    )
                }
                if !files.isEmpty { return files }
            }
            return []
        }
    }
}
