extension ConformanceCheck {
    /// All rules, group by group.
    public static let all: [ConformanceCheck] = [
        properties, errors, situations, names, sizes, ranges, paging, streams, parts, bulk, newFolders,
        overwriting, copyingAndMoving, keepingBoth, removing, batches, batchMoves, cancelling, dates, identity,
        searching, concurrency, progress, links, confinement, readOnly, trash, versions, locks, changeTracking, waiting,
        monitoring, undoing, sharing, pictures, handlers, delegates, wrappers,
    ].flatMap(\.self)
}
