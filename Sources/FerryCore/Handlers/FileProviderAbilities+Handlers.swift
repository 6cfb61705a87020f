public import Foundation

// The completion-handler forms of what only some storages can do.

extension FileProviderSymbolicLink {
    /// Makes a symbolic link.
    ///
    /// - Parameters:
    ///   - path: Where the link will be.
    ///   - destination: The text of the link.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func create(
        symbolicLink path: ItemPath,
        withDestination destination: String,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.link(path: path, target: destination), handler: completionHandler) { _ in
            try await self.create(symbolicLink: path, withDestination: destination)
        }
    }

    /// Reads the text of a symbolic link.
    ///
    /// - Parameters:
    ///   - path: The link.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets its text, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func destination(
        ofSymbolicLink path: ItemPath,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.destination(ofSymbolicLink: path) }
    }
}

extension FileProviderSharing {
    /// Makes a public link.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be made.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the link, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func publicLink(
        to path: ItemPath,
        options: ShareOptions = ShareOptions(),
        completionHandler: @escaping @Sendable (ShareLink?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.publicLink(to: path, options: options) }
    }

    /// Lists public links.
    ///
    /// - Parameters:
    ///   - path: The item they lead to; `nil` for all.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the links, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func publicLinks(
        to path: ItemPath?,
        completionHandler: @escaping @Sendable ([ShareLink]?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.publicLinks(to: path) }
    }

    /// Ends a public link.
    ///
    /// - Parameters:
    ///   - link: The link.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func revoke(
        _ link: ShareLink,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.revoke(link) }
    }
}

extension FileProviderChangeTracking {
    /// Asks for the present moment in the storage's history.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the anchor, or the
    ///   error.
    /// - Returns: One unit.
    @discardableResult
    public func currentAnchor(
        completionHandler: @escaping @Sendable (ChangeAnchor?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.currentAnchor() }
    }

    /// Asks what has changed since an anchor.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the changes, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func changes(
        since anchor: ChangeAnchor,
        completionHandler: @escaping @Sendable (ChangeSet?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.changes(since: anchor) }
    }

    /// Waits until something has changed since an anchor.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait at most.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets `true` if there is something
    ///     new and `false` when the time is over, or the error.
    /// - Returns: One unit; cancelling it ends the wait.
    @discardableResult
    public func waitForChanges(
        since anchor: ChangeAnchor,
        timeout: Duration,
        completionHandler: @escaping @Sendable (Bool?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in
            try await self.waitForChanges(since: anchor, timeout: timeout)
        }
    }
}

extension FileProviderTrash {
    /// Puts an item into the trash.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the item in the trash, or
    ///     the error.
    /// - Returns: One unit.
    @discardableResult
    public func trashItem(
        path: ItemPath,
        completionHandler: @escaping @Sendable (TrashedItem?, (any Error)?) -> Void
    ) -> Progress {
        start(.remove(path: path), handler: completionHandler) { _ in
            guard await OperationJudge(self)?.shouldOperate(.remove(path: path)) != false else {
                throw CancellationError()
            }
            return try await self.trashItem(path: path)
        }
    }

    /// Lists the trash.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the items, or the
    ///   error.
    /// - Returns: One unit.
    @discardableResult
    public func trashedItems(
        completionHandler: @escaping @Sendable ([TrashedItem]?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.trashedItems() }
    }

    /// Takes an item out of the trash.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - target: Where to put it; `nil` for where it came from.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func restoreFromTrash(
        _ item: TrashedItem,
        to target: ItemPath? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.create(path: target ?? item.originalPath), handler: completionHandler) { _ in
            try await self.restoreFromTrash(item, to: target)
        }
    }

    /// Removes items from the trash for good.
    ///
    /// - Parameters:
    ///   - items: Which ones; `nil` for all.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func emptyTrash(
        _ items: [TrashedItem]? = nil,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.emptyTrash(items) }
    }
}

extension FileProviderVersioning {
    /// Lists the earlier contents of a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the versions, or the
    ///     error.
    /// - Returns: One unit.
    @discardableResult
    public func versions(
        of path: ItemPath,
        completionHandler: @escaping @Sendable ([FileVersion]?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.versions(of: path) }
    }

    /// Reads an earlier content into memory.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets all bytes, or the error.
    /// - Returns: Bytes.
    @discardableResult
    public func contents(
        of version: FileVersion,
        path: ItemPath,
        completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
    ) -> Progress {
        start(.fetch(path: path), handler: completionHandler) { progress in
            try await self.contentStream(of: version, path: path).collect(reporting: progress)
        }
    }

    /// Makes an earlier content the present one.
    ///
    /// - Parameters:
    ///   - version: Which one.
    ///   - path: The file.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func restore(
        _ version: FileVersion,
        of path: ItemPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.modify(path: path), handler: completionHandler) { _ in try await self.restore(version, of: path) }
    }
}

extension FileProviderChecksums {
    /// Asks for the checksum of a file, which the storage works out.
    ///
    /// - Parameters:
    ///   - kind: Which one.
    ///   - path: The file.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets lower-case hexadecimal, or
    ///     `nil` where the storage can't work it out, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func checksum(
        _ kind: ChecksumKind,
        path: ItemPath,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: { (sum: String??, error) in completionHandler(sum ?? nil, error) }) { _ in
            try await self.checksum(kind, path: path)
        }
    }
}

extension FileProviderLocking {
    /// Locks an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - options: How it is to be locked.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the lock, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func lock(
        path: ItemPath,
        options: FileLockOptions = FileLockOptions(),
        completionHandler: @escaping @Sendable (FileLock?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.lock(path: path, options: options) }
    }

    /// Makes a lock hold longer.
    ///
    /// - Parameters:
    ///   - lock: The lock.
    ///   - timeout: How long from now; `nil` for what the storage likes.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the lock with its new end,
    ///     or the error.
    /// - Returns: One unit.
    @discardableResult
    public func refresh(
        _ lock: FileLock,
        timeout: Duration? = nil,
        completionHandler: @escaping @Sendable (FileLock?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.refresh(lock, timeout: timeout) }
    }

    /// Ends a lock.
    ///
    /// - Parameters:
    ///   - lock: The lock.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func unlock(
        _ lock: FileLock,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.unlock(lock) }
    }

    /// Lists the locks on an item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the locks, or the error.
    /// - Returns: One unit.
    @discardableResult
    public func locks(
        on path: ItemPath,
        completionHandler: @escaping @Sendable ([FileLock]?, (any Error)?) -> Void
    ) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.locks(on: path) }
    }
}

extension FileProviderUndoable {
    /// Takes back the last operation.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or
    ///   `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func undo(completionHandler: @escaping @Sendable ((any Error)?) -> Void) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.undo() }
    }

    /// Does again what was last undone.
    ///
    /// - Parameter completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or
    ///   `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func redo(completionHandler: @escaping @Sendable ((any Error)?) -> Void) -> Progress {
        start(nil, handler: completionHandler) { _ in try await self.redo() }
    }
}
