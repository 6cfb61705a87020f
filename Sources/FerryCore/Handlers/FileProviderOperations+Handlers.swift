public import Foundation

extension FileProviderOperations {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make missing folders above it.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit.
    @discardableResult
    public func create(
        folder name: String,
        at parent: ItemPath,
        creatingParents: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.create(path: parent.appending(name)), handler: completionHandler) { _ in
            try await self.create(folder: name, at: parent, creatingParents: creatingParents)
        }
    }

    /// Moves an item with all below it; the file operation delegate is asked for each item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: Its new path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit, or bytes, or items.
    @discardableResult
    public func moveItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        startTree(.move(source: path, destination: target), handler: completionHandler) { tree in
            try await tree.move(path, to: target, overwrite: overwrite)
        } whole: { progress in
            try await self.moveItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Copies an item with all below it; the file operation delegate is asked for each item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - target: The copy's path, name included.
    ///   - overwrite: `true` if a file there may be replaced, or a folder merged into.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: Bytes, or items.
    @discardableResult
    public func copyItem(
        path: ItemPath,
        to target: ItemPath,
        overwrite: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        startTree(.copy(source: .item(path), destination: .item(target)), handler: completionHandler) { tree in
            try await tree.copy(path, to: target, overwrite: overwrite)
        } whole: { progress in
            try await self.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress)
        }
    }

    /// Removes an item, a folder with all below it; the file operation delegate is asked for each item.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: One unit, or items.
    @discardableResult
    public func removeItem(
        path: ItemPath,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        startTree(.remove(path: path), handler: completionHandler) { tree in
            try await tree.remove(path)
        } whole: { progress in
            try await self.removeItem(path: path, reporting: progress)
        }
    }

    /// Uploads a file of this machine.
    ///
    /// - Parameters:
    ///   - localFile: The file's URL.
    ///   - target: Its path on the storage, name included.
    ///   - overwrite: `true` if a file there may be replaced.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: Bytes.
    @discardableResult
    public func copyItem(
        localFile: URL,
        to target: ItemPath,
        overwrite: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.copy(source: .localFile(localFile), destination: .item(target)), handler: completionHandler) {
            try await self.copyItem(localFile: localFile, to: target, overwrite: overwrite, reporting: $0)
        }
    }

    /// Downloads a file to this machine.
    ///
    /// - Parameters:
    ///   - path: The file on the storage.
    ///   - localURL: The URL of the file to make, name included.
    ///   - overwrite: `true` if a local file there may be replaced.
    ///   - completionHandler: Called once on ``FileProviderEnvironment/callbackQueue``; gets the error, or `nil`.
    /// - Returns: Bytes.
    @discardableResult
    public func copyItem(
        path: ItemPath,
        toLocalURL localURL: URL,
        overwrite: Bool = false,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) -> Progress {
        start(.copy(source: .item(path), destination: .localFile(localURL)), handler: completionHandler) {
            try await self.copyItem(path: path, toLocalURL: localURL, overwrite: overwrite, reporting: $0)
        }
    }

    /// Does a tree as a whole, or item by item if somebody wants to be asked.
    private func startTree(
        _ operation: FileOperationType,
        handler: @escaping @Sendable ((any Error)?) -> Void,
        judged: @escaping @Sendable (JudgedTree<Self>) async throws -> Bool,
        whole: @escaping @Sendable (Progress) async throws -> Void
    ) -> Progress {
        start(operation, handler: handler) { progress in
            guard let judge = OperationJudge(self) else { return try await whole(progress) }
            _ = try await judged(JudgedTree(provider: self, judge: judge, progress: progress))
        }
    }
}
