extension TransferAction.Kind {
    /// In words.
    public var words: String {
        switch self {
        case .makeFolder: "make folder"
        case .add: "add"
        case .update: "update"
        case .rename: "rename"
        case .setDates: "set date"
        case .remove: "remove"
        case .removeSource: "remove source"
        case .skip: "skip"
        case .refuse: "refuse"
        }
    }
}

extension TransferAction.Reason {
    /// In words.
    public var words: String {
        switch self {
        case .missing: "missing at target"
        case .same: "same"
        case .size: "other size"
        case .date: "other date"
        case .permissions: "other permissions"
        case .checksum: "other checksum"
        case .contents: "other contents"
        case .link: "link leads elsewhere"
        case .unknown: "can't be compared"
        case .newer: "target is newer"
        case .exists: "exists at target"
        case .extra: "missing at source"
        case .emptied: "empty now"
        case .notEmpty: "not empty"
        case .otherType: "file against folder"
        case .special: "neither file, folder nor link"
        case .nameClash: "same name for the target"
        case .invalidName: "no name for the target"
        case .loop: "folder contains itself"
        case .tooMany: "too many removals"
        case .incomplete: "listing incomplete"
        case .hidden: "source may hide it"
        }
    }
}

extension TransferAction {
    /// The action in words.
    public var words: String { kind == .setDates && reason == .permissions ? "set permissions" : kind.words }
}

extension TransferAction: CustomStringConvertible {
    /// One line: `update /a/b.txt (other size)`.
    public var description: String {
        var text = "\(words) "
        if let from { text += "\(from) -> " }
        text += "\(path) (\(reason.words))"
        if let note { text += ": \(note)" }
        return text
    }
}
