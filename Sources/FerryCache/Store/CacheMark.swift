/// A moment before the storage was asked, so that an answer is not kept if something has changed since.
struct CacheMark: Sendable, Hashable {
    /// Changes that this process knew of; no two marks of a store have the same.
    let serial: UInt64
    /// Changes that all processes knew of; `nil` if the disk could not say, and then the answer isn't kept there.
    var disk: DiskMark?

    /// A moment in the life of one index.
    struct DiskMark: Sendable, Hashable {
        /// Tells the index from one that was made anew in its place.
        let index: Int64
        /// The last change in its log.
        let change: Int64
    }
}
