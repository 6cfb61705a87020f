public import FerryCore
public import Foundation

/// A transfer that a journal knows of: one that runs, or was interrupted, or could not do everything.
public struct TransferJob: Sendable, Hashable, Codable, Identifiable {
    /// A folder on a storage, without any secret.
    public struct Place: Sendable, Hashable, Codable {
        /// The description from which the storage's provider is made again.
        public var storage: ProviderConfiguration
        /// The folder.
        public var top: ItemPath

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - storage: How to make the storage again.
        ///   - top: The folder.
        public init(storage: ProviderConfiguration, top: ItemPath) {
            self.storage = storage
            self.top = top
        }

        /// The strings that tell it from other places: whose account on which storage, and which folder there.
        ///
        /// Not what a storage has found out about its server, nor how it is reached: that may be another the next time.
        var identity: [String] {
            [storage.type, storage.baseURL?.absoluteString ?? "", storage.user ?? "", top.string]
        }

        /// The place that a transfer begins or ends at.
        ///
        /// - Parameter place: The place.
        public init(_ place: TransferPlace) {
            let storage = place.storage
            self.init(
                storage: (storage as? any ConfigurableFileProvider)?.configuration
                    ?? ProviderConfiguration(
                        type: storage.type,
                        baseURL: storage.baseURL,
                        user: storage.credential?.user
                    ),
                top: place.top
            )
        }
    }

    /// A file of which the target has a part, or a folder that is copied as a whole.
    public struct UnfinishedFile: Sendable, Hashable, Codable {
        /// The path that it will have on the target.
        public var path: ItemPath
        /// Bytes that it will have; of a folder, 0, since nobody has counted them.
        public var length: Int64
        /// Bytes that the target has for sure; of a folder, 0.
        public var written: Int64
        /// Indicates whether it is a folder, with all below it.
        public var isFolder: Bool

        /// Makes a value.
        ///
        /// - Parameters:
        ///   - path: Where it will be, on the target.
        ///   - length: Bytes that it will have; of a folder, 0.
        ///   - written: Bytes that the target has for sure; of a folder, 0.
        ///   - isFolder: `true` if it is a folder, with all below it.
        public init(path: ItemPath, length: Int64, written: Int64, isFolder: Bool = false) {
            self.path = path
            self.length = length
            self.written = written
            self.isFolder = isFolder
        }
    }

    /// The state of the job.
    public enum State: String, Sendable, Hashable, Codable {
        /// A process is at it.
        case running
        /// Its process has ended before it was done.
        case interrupted
        /// It came to its end, and some items failed.
        case failed
    }

    /// A short text that tells it from other jobs of the journal.
    public var id: String

    /// The state of the job.
    public var state: State

    /// The place of the originals.
    public var source: Place

    /// The place that the copies go to.
    public var target: Place

    /// The text that the caller has noted to begin the same transfer again; see
    /// `Transfer/run(journal:memo:reporting:events:)`.
    public var memo: String?

    /// The date at which it was begun.
    public var begun: Date

    /// The date at which it was last begun or ended.
    public var touched: Date

    /// Files of which the target has a part, and folders that are copied as a whole.
    public var unfinishedFiles: [UnfinishedFile]
}
