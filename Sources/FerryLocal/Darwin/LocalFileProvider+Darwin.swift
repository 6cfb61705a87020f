#if canImport(Darwin)
public import FerryCore
public import Foundation

extension LocalFileProvider {
    /// `a` and `A` are one name on the usual file systems.
    static var isCaseSensitive: Bool { false }

    /// Composed and decomposed letters are one name.
    static var distinguishesNormalizationForms: Bool { false }

    /// Where one of the user's folders is; `nil` if there is no such thing here.
    static func url(of directory: FileManager.SearchPathDirectory) -> URL? {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
    }

    /// Shows the folder that an app shares with its extensions, or with its iCloud container.
    ///
    /// - Parameters:
    ///   - identifier: The application group's identifier.
    ///   - isCoordinating: `true` if work on files waits its turn among other processes.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.fileNoSuchFile` if the app doesn't belong to the group.
    public convenience init(
        sharedContainer identifier: String,
        isCoordinating: Bool = true,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        guard let url = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier) else {
            throw CocoaError.noSuchItem(.root)
        }
        self.init(baseURL: url, isCoordinating: isCoordinating, environment: environment)
    }

    /// Shows the files below a folder that other processes work on too.
    ///
    /// - Parameters:
    ///   - baseURL: The base folder's `file:` URL.
    ///   - isCoordinating: `true` if work on files waits its turn among other processes.
    ///   - environment: Queues, delegates and logger.
    public convenience init(
        baseURL: URL,
        isCoordinating: Bool,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) {
        self.init(
            base: BaseFolder(path: baseURL.localPath),
            baseURL: baseURL,
            isCoordinating: isCoordinating,
            environment: environment
        )
    }
}

extension Turn {
    /// Waits until no other process works on the items; called on a thread that may block.
    func take<Result>(_ body: () throws -> Result) throws -> Result {
        var failure: NSError?
        var result: Swift.Result<Result, any Error>?
        let coordinator = NSFileCoordinator()
        coordinator.prepare(forReadingItemsAt: reading, writingItemsAt: writing, error: &failure) { done in
            result = Swift.Result { try body() }
            done()
        }
        if let failure { throw failure }
        guard let result else { throw CancellationError() }
        return try result.get()
    }
}

extension LocalFileProvider: FileProviderTrash {
    /// `false`: removed items are gone.
    public var trashesRemovedItems: Bool { false }

    /// Puts an item into the user's trash.
    ///
    /// - Parameter path: The item; never the root.
    /// - Returns: The item in the trash.
    /// - Throws: `CocoaError.fileNoSuchFile`; `.featureUnsupported` where there is no trash.
    @discardableResult
    public func trashItem(path: ItemPath) async throws -> TrashedItem {
        if path.isRoot { throw CocoaError.baseFolder(path) }
        let item = try await attributesOfItem(path: path)
        guard let url = url(of: path) else { throw CocoaError.noSuchItem(path) }
        return try await run(writing: [path]) {
            var place: NSURL?
            try FileManager.default.trashItem(at: url, resultingItemURL: &place)
            return TrashedItem(id: place?.path ?? url.path, item: item, deletionDate: Date())
        }
    }

    /// The system shows the trash to nobody.
    public func trashedItems() async throws -> [TrashedItem] {
        throw CocoaError.unsupported("looking into the trash", path: .root)
    }

    /// Takes an item out of the trash that was put there by us.
    public func restoreFromTrash(_ item: TrashedItem, to target: ItemPath?) async throws {
        guard let url = url(of: target ?? item.originalPath) else { throw CocoaError.noSuchItem(item.originalPath) }
        try await run(writing: [target ?? item.originalPath]) {
            try FileManager.default.moveItem(at: URL(filePath: item.id), to: url)
        }
    }

    /// Only the user empties the trash.
    public func emptyTrash(_ items: [TrashedItem]?) async throws {
        throw CocoaError.unsupported("emptying the trash", path: .root)
    }
}
#endif
