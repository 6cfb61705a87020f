public import FerryCore

/// One thing that a transfer does, or leaves, at one path.
public struct TransferAction: Sendable, Hashable, Codable {
    /// The kind of an action.
    public enum Kind: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
        /// Makes a folder.
        case makeFolder
        /// Copies a file or link to where nothing is; a folder with all below it, where the storage can do that.
        case add
        /// Copies a file or link over what is there.
        case update
        /// Moves an item of the target, since the source has it elsewhere now.
        case rename
        /// Gives an item of the target the date of the source's; its content is the same.
        /// Or its permissions, where the reason is that these differ.
        case setDates
        /// Removes an item of the target, a folder with all below it.
        case remove
        /// Removes a file of the source that the target has too, or a folder of the source that has become empty.
        case removeSource
        /// Leaves the item as it is.
        case skip
        /// Can't be done, and is reported as a failure.
        case refuse
    }

    /// The reason for an action.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// The target has no such item.
        case missing
        /// The target has the same.
        case same
        /// The sizes differ.
        case size
        /// The dates differ.
        case date
        /// Only the permissions differ.
        case permissions
        /// The checksums differ.
        case checksum
        /// The contents differ.
        case contents
        /// The links lead to different places.
        case link
        /// Nothing tells whether they are the same.
        case unknown
        /// The target's is newer, and newer ones stay.
        case newer
        /// The target has another one, and existing ones stay.
        case exists
        /// The source has no such item.
        case extra
        /// The folder is empty now.
        case emptied
        /// The folder is not empty.
        case notEmpty
        /// A folder is where a file should go, or the other way round.
        case otherType
        /// The item is neither file, folder nor link.
        case special
        /// Another item's name is the same for the target.
        case nameClash
        /// The target can't have such a name.
        case invalidName
        /// The folder contains itself.
        case loop
        /// More would be removed than is allowed.
        case tooMany
        /// A folder could not be listed, so nobody knows what is missing.
        case incomplete
        /// The source never lists such names, so nobody knows whether it has the item.
        case hidden
    }

    /// The kind of the action.
    public var kind: Kind

    /// The path from the top of the transfer, by the target's names; the root if the transfer is of a single file.
    public var path: ItemPath

    /// The reason for it.
    public var reason: Reason

    /// The item at the source, as it was listed.
    public var source: FileObject?

    /// The item at the target, as it was listed.
    public var target: FileObject?

    /// For a renaming: where the target has the item, from the top of the transfer.
    public var from: ItemPath?

    /// Indicates whether the source's item is removed when its copy is complete.
    public var removesSource: Bool

    /// A note for people.
    public var note: String?

    /// Makes an action.
    ///
    /// - Parameters:
    ///   - kind: The kind of action.
    ///   - path: Where, from the top of the transfer.
    ///   - reason: Why.
    ///   - source: The item at the source.
    ///   - target: The item at the target.
    ///   - from: For a renaming: where the target has the item.
    ///   - removesSource: `true` if the source's item is removed when its copy is complete.
    ///   - note: An additional note.
    public init(
        _ kind: Kind,
        _ path: ItemPath,
        _ reason: Reason,
        source: FileObject? = nil,
        target: FileObject? = nil,
        from: ItemPath? = nil,
        removesSource: Bool = false,
        note: String? = nil
    ) {
        self.kind = kind
        self.path = path
        self.reason = reason
        self.source = source
        self.target = target
        self.from = from
        self.removesSource = removesSource
        self.note = note
    }

    /// Indicates whether a file or link is copied.
    var movesContent: Bool { kind == .add || kind == .update }

    /// Bytes that it will move, as far as that is known.
    public var bytes: Int64 {
        switch kind {
        case .add, .update: source?.isRegularFile == true ? max(0, source?.size ?? 0) : 0
        case .makeFolder, .rename, .setDates, .remove, .removeSource, .skip, .refuse: 0
        }
    }
}
