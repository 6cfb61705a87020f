import Synchronization

/// Which quick ways of copying are still worth trying between two file systems; a way that failed once is not.
final class CopyMethods: Sendable {
    private let clones = Atomic(true)
    private let copiesRanges = Atomic(true)
    private let copiesExtendedAttributes = Atomic(true)

    /// Sharing blocks, which copies nothing at all.
    var mayClone: Bool {
        get { clones.load(ordering: .relaxed) }
        set { clones.store(newValue, ordering: .relaxed) }
    }

    /// Letting the kernel copy.
    var mayCopyRanges: Bool {
        get { copiesRanges.load(ordering: .relaxed) }
        set { copiesRanges.store(newValue, ordering: .relaxed) }
    }

    /// Extended attributes, which the source's file system may not have at all.
    var hasExtendedAttributes: Bool {
        get { copiesExtendedAttributes.load(ordering: .relaxed) }
        set { copiesExtendedAttributes.store(newValue, ordering: .relaxed) }
    }
}
