public import FerryCore
import Foundation
import HTTPTypes
import Synchronization

extension WebDAVFileProvider: FileProviderFolderWriting {
    private static let limits = BulkLimits(fileCount: 16, byteCount: 256 << 10)

    /// 16 files, 256 KiB in all, at a server that looks at no condition of a `PUT`: nginx.
    ///
    /// There each new file takes a `PUT` to another name and a `MOVE`; in a folder that nobody knows yet, the `PUT`.
    public var newFolderLimits: BulkLimits? { connection.knownTraits.writesBestToHiddenFolders ? Self.limits : nil }

    /// Makes a folder that has files in it from the start: under a temporary name, until all files are in it.
    ///
    /// - Parameters:
    ///   - path: The folder; its parent must exist.
    ///   - lanes: Files that are sent at the same time, at most.
    ///   - next: Asked for what is in the folder, for one portion after the other until one is empty; by each lane.
    /// - Throws: As ``/FerryCore/FileProviderFolderWriting``; `CocoaError.featureUnsupported` at servers that may
    ///   leave half
    ///   a file, and for names that the server may take for one.
    public func writeFolder(
        path: ItemPath,
        lanes: Int,
        files next: @escaping @Sendable () async throws -> [BulkFile]
    ) async throws {
        let traits = try await connection.traits()
        guard traits.writesBestToHiddenFolders else {
            throw CocoaError.unsupported("making a folder together with its files", path: path)
        }
        try traits.requireName(of: path)
        let hidden = path.parent.appending(TemporaryName.makeForCopy(for: traits))
        try await connection.withTemporary(hidden, isFolder: true) { answered in
            try await makeFolder(hidden, traits, for: path)
            answered()
            try await fill(hidden, for: path, lanes: max(1, lanes), next, traits)
            try Task.checkCancellation()
            do {
                try await settle(hidden, at: path, isFolder: true, replacing: false, mayFallBack: true)
            } catch is WebDAVMoveRefusal {
                connection.learn { $0.tried.refusesMoves = true }
                throw CocoaError.unsupported("making a folder together with its files", path: path)
            }
        }
    }

    /// Sends files, several at the same time.
    ///
    /// Each lane has its thread, and takes a portion after the other: so hardly any wakes another's.
    private func fill(
        _ folder: ItemPath,
        for path: ItemPath,
        lanes: Int,
        _ next: @escaping @Sendable () async throws -> [BulkFile],
        _ traits: WebDAVTraits
    ) async throws {
        let names = UniqueNames(in: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<lanes {
                group.addTask(executorPreference: EventLoopExecutor.next()) {
                    while true {
                        let files = try await next()
                        if files.isEmpty { return }
                        for file in files {
                            try traits.requireName(of: file.path)
                            try names.add(file.path)
                            try await self.put(file, in: folder, traits)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func put(_ file: BulkFile, in folder: ItemPath, _ traits: WebDAVTraits) async throws {
        let length = Int64(file.contents.count)
        let options = WriteOptions(overwrite: true, modifiedDate: file.modifiedDate)
        let name = folder.appending(file.path.lastName)
        let plan = try WebDAVWritePlan(path: name, options: options, length: length, traits: traits, hasLocks: false)
        do {
            _ = try await put(DataChunks(file.contents), length: length, to: name, for: file.path, plan, nil)
        } catch let error as URLError where error.code == .networkConnectionLost {
            // Nobody else knows the name: so it can be done once more, whatever has come of it.
            _ = try await put(DataChunks(file.contents), length: length, to: name, for: file.path, plan, nil)
        }
        try await setDate(file.modifiedDate, of: name, traits)
    }
}

extension WebDAVTraits {
    /// Indicates whether a `PUT` is complete when it is answered, but can't be made to replace nothing.
    fileprivate var writesBestToHiddenFolders: Bool {
        !refusesMoves && absenceCondition == .impossible && createsByPut && replacesByPut && checksLength
            && refusesExistingFolders
            && guardsTargets
    }
}

/// The names in a folder that is filled by `PUT`, which replaces: what one server takes for two names is one for another.
private final class UniqueNames: Sendable {
    private let folder: ItemPath
    private let names = Mutex<Set<String>>([])

    init(in folder: ItemPath) {
        self.folder = folder
    }

    /// Adds one.
    ///
    /// - Parameter path: Where it is to be.
    /// - Throws: `CocoaError.featureUnsupported` for one that is there already, or elsewhere.
    func add(_ path: ItemPath) throws {
        let name = path.lastComponent.precomposedStringWithCanonicalMapping.lowercased()
        guard path.parent == folder, names.withLock({ $0.insert(name).inserted }) else {
            throw CocoaError.unsupported("a folder with two files of one name, or files elsewhere", path: folder)
        }
    }
}
