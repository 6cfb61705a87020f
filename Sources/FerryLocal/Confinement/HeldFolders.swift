import Foundation
import Synchronization

/// Folders that were opened once, so that all below them is reached through what was opened.
final class HeldFolders: Sendable {
    /// More are not kept open: one that is wanted again is opened again, and must be the same folder then.
    private static let mostOpen = 200

    private struct Folder {
        let path: RawPath
        var descriptor: Descriptor?
        var identity: FileIdentity?
        var lastUse: UInt64 = 0
    }

    private struct State {
        var folders: [Folder] = []
        var uses: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Indicates whether the kernel keeps us in a folder: asked once.
    private let isConfinedByKernel = Mutex<Bool?>(nil)

    /// Indicates whether there are any: most providers have none.
    private let isUsed = Atomic(false)

    /// Adds a folder that isn't open yet.
    func add(_ path: RawPath) {
        state.withLock { state in
            if !state.folders.contains(where: { $0.path == path }) { state.folders.append(Folder(path: path)) }
        }
        isUsed.store(true, ordering: .releasing)
    }

    /// The innermost of the folders that an item is below.
    ///
    /// - Parameters:
    ///   - path: The item.
    ///   - orItself: `true` if the item may be the folder itself.
    /// - Returns: The folder, and the way from there; `nil` if it is below none.
    func nearest(to path: RawPath, orItself: Bool) -> (folder: RawPath, rest: RawPath)? {
        guard isUsed.load(ordering: .acquiring) else { return nil }
        return state.withLock { state in
            var nearest: (folder: RawPath, rest: RawPath)?
            for folder in state.folders where folder.path.bytes.count > nearest?.folder.bytes.count ?? 0 {
                guard let rest = path.relative(to: folder.path), orItself || rest != .base else { continue }
                nearest = (folder.path, rest)
            }
            return nearest
        }
    }

    /// Returns whether the kernel keeps us in a folder.
    func isConfinedByKernel(_ folder: Descriptor) -> Bool {
        isConfinedByKernel.withLock { known in
            let answer = known ?? folder.canOpenBeneath
            known = answer
            return answer
        }
    }

    /// The open folder, if it is open.
    func descriptor(of path: RawPath) -> Descriptor? {
        state.withLock { state in
            guard let index = state.folders.firstIndex(where: { $0.path == path }) else { return nil }
            state.uses += 1
            state.folders[index].lastUse = state.uses
            return state.folders[index].descriptor
        }
    }

    /// Keeps a folder open.
    ///
    /// - Parameters:
    ///   - descriptor: The folder, as it was opened just now.
    ///   - path: Its path.
    /// - Returns: The open folder: another, if somebody has opened it meanwhile.
    /// - Throws: `EXDEV` if it is another folder than before, which isn't gone.
    func set(_ descriptor: Descriptor, at path: RawPath) throws(Errno) -> Descriptor {
        let identity = try descriptor.status().identity
        let result = state.withLock { state -> Result<Descriptor, Errno> in
            guard let index = state.folders.firstIndex(where: { $0.path == path }) else { return .success(descriptor) }
            let folder = state.folders[index]
            // One that is open and was removed may have been made anew.
            if folder.descriptor == nil, let known = folder.identity, known != identity { return .failure(.leadsOut) }
            state.uses += 1
            state.folders[index].descriptor = descriptor
            state.folders[index].identity = identity
            state.folders[index].lastUse = state.uses
            let open = state.folders.indices.filter { state.folders[$0].descriptor != nil }
            let oldest = open.min { state.folders[$0].lastUse < state.folders[$1].lastUse }
            if open.count > Self.mostOpen, let oldest { state.folders[oldest].descriptor = nil }
            return .success(descriptor)
        }
        return try result.get()
    }
}
