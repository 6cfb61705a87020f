public import Foundation

/// An operation, and the items concerned.
public enum FileOperationType: Sendable, Hashable, Codable {
    /// Makes a folder or a new file.
    case create(path: ItemPath)
    /// Makes a second item like the first; also an upload or a download, where one side is a local file.
    case copy(source: FileLocation, destination: FileLocation)
    /// Gives an item another name or another place.
    case move(source: ItemPath, destination: ItemPath)
    /// Changes an item's content or attributes.
    case modify(path: ItemPath)
    /// Removes an item, and all below it.
    case remove(path: ItemPath)
    /// Makes a symbolic link.
    case link(path: ItemPath, target: String)
    /// Reads an item.
    case fetch(path: ItemPath)

    /// The place that the item comes from, or the only item there is.
    public var source: FileLocation {
        switch self {
        case .create(let path), .modify(let path), .remove(let path), .link(let path, _), .fetch(let path): .item(path)
        case .copy(let source, _): source
        case .move(let source, _): .item(source)
        }
    }

    /// The place that the item goes to, for a copy or a move.
    public var destination: FileLocation? {
        switch self {
        case .copy(_, let destination): destination
        case .move(_, let destination): .item(destination)
        case .create, .modify, .remove, .link, .fetch: nil
        }
    }

    /// The operation that undoes it, if it can be derived from this one alone; `nil` where content would be lost.
    ///
    /// It holds for operations that replaced nothing.
    public var inverse: FileOperationType? {
        switch self {
        case .create(let path), .link(let path, _): .remove(path: path)
        case .copy(_, .item(let destination)): .remove(path: destination)
        case .move(let source, let destination): .move(source: destination, destination: source)
        case .copy(_, .localFile), .modify, .remove, .fetch: nil
        }
    }

    /// The operation's kind in a `Progress` of Foundation.
    var progressKind: Progress.FileOperationKind {
        switch self {
        case .copy(.localFile, _): .receiving
        case .copy(_, .localFile), .fetch: .downloading
        case .copy, .create, .move, .modify, .remove, .link: .copying
        }
    }
}

extension FileOperationType: CustomStringConvertible {
    /// A description for a person: `Move of “report.pdf”`.
    public var description: String {
        switch self {
        case .create(let path): "Creation of \(path.quotedName)"
        case .copy(.localFile(let url), _): "Upload of “\(url.lastPathComponent)”"
        case .copy(.item(let path), .localFile): "Download of \(path.quotedName)"
        case .copy(.item(let path), .item): "Copy of \(path.quotedName)"
        case .move(let path, _): "Move of \(path.quotedName)"
        case .modify(let path): "Change of \(path.quotedName)"
        case .remove(let path): "Removal of \(path.quotedName)"
        case .link(let path, _): "Link \(path.quotedName)"
        case .fetch(let path): "Reading of \(path.quotedName)"
        }
    }
}

extension FileOperationType {
    /// The word for what is under way, for a progress bar's title: `Copying`, `Uploading`.
    public var actionDescription: String {
        switch self {
        case .create: "Creating"
        case .copy(.localFile, _): "Uploading"
        case .copy(.item, .localFile): "Downloading"
        case .copy(.item, .item): "Copying"
        case .move: "Moving"
        case .modify: "Changing"
        case .remove: "Removing"
        case .link: "Linking"
        case .fetch: "Reading"
        }
    }
}

extension ItemPath {
    fileprivate var quotedName: String { "“\(isRoot || isIdentifier ? string : lastName)”" }
}

/// An item of the storage, or a file on this machine.
public enum FileLocation: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    /// An item of the storage.
    case item(ItemPath)
    /// A file on this machine.
    case localFile(URL)

    /// An item of the storage, from text in the source code.
    ///
    /// - Parameter value: The item's path.
    public init(stringLiteral value: String) {
        self = .item(ItemPath(stringLiteral: value))
    }

    /// The item's path, unless it is a local file.
    public var path: ItemPath? {
        guard case .item(let path) = self else { return nil }
        return path
    }
}
