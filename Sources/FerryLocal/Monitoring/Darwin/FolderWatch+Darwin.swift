#if canImport(Darwin)
import FerryCore
import Foundation

#if os(macOS)
import CoreServices
import Synchronization
#endif

// Never built so far: there was no such system to build it on.

/// How folders are watched on this system: by FSEvents on macOS; the others have none, and are asked.
enum FolderWatch {
    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - path: The item to watch.
    ///   - provider: Where the path begins.
    /// - Returns: The changes from now on.
    /// - Throws: `CocoaError.fileNoSuchFile`; what keeps the item from being watched.
    static func begin(_ path: ItemPath, of provider: LocalFileProvider) async throws -> FileChanges {
        #if os(macOS)
        _ = try await provider.attributesOfItem(path: path)
        let feed = FileChangeFeed(under: path)
        guard let url = provider.url(of: path), let stream = EventStream(url.localPath, path, feed) else {
            throw CocoaError.unsupported("watching", path: path)
        }
        return feed.changes { stream.stop() }
        #else
        return try await PollingWatch(provider, path: path).begin()
        #endif
    }
}

#if os(macOS)
/// A stream of the system's events for one folder.
private final class EventStream: Sendable {
    private let folder: String
    private let path: ItemPath
    private let feed: FileChangeFeed
    private let stream = Mutex<FSEventStreamRef?>(nil)

    init?(_ folder: String, _ path: ItemPath, _ feed: FileChangeFeed) {
        self.folder = folder
        self.path = path
        self.feed = feed
        var context = FSEventStreamContext()
        context.info = Unmanaged.passUnretained(self).toOpaque()
        let flags = kFSEventStreamCreateFlagFileEvents | kFSEventStreamCreateFlagWatchRoot
        let made = FSEventStreamCreate(
            nil,
            { _, info, count, paths, flags, _ in
                guard let info else { return }
                let stream = Unmanaged<EventStream>.fromOpaque(info).takeUnretainedValue()
                let paths = paths.assumingMemoryBound(to: UnsafePointer<CChar>.self)
                for index in 0..<count { stream.tell(String(cString: paths[index]), Int(flags[index])) }
            },
            &context,
            [folder] as CFArray,
            FSEventStreamEventId(kFSEventStreamEventIdSinceNow),
            0.05,
            UInt32(flags)
        )
        guard let made else { return nil }
        FSEventStreamSetDispatchQueue(made, DispatchQueue(label: "ferry.watch"))
        FSEventStreamStart(made)
        stream.withLock { $0 = made }
    }

    func stop() {
        guard let stream = stream.withLock({ $0.take() }) else { return }
        FSEventStreamStop(stream)
        FSEventStreamInvalidate(stream)
        FSEventStreamRelease(stream)
    }

    private func tell(_ place: String, _ flags: Int) {
        if flags & kFSEventStreamEventFlagRootChanged != 0 {
            feed.tell([FileChange(.removed, path: path)])
            return feed.finish()
        }
        let relative = place.hasPrefix(folder) ? String(place.dropFirst(folder.count)) : ""
        let item = relative.split(separator: "/").reduce(path) { $0.appending(String($1)) }
        feed.tell([FileChange(kind(of: place, flags), path: item)])
    }

    private func kind(of place: String, _ flags: Int) -> FileChange.Kind {
        let lost =
            kFSEventStreamEventFlagMustScanSubDirs | kFSEventStreamEventFlagUserDropped
            | kFSEventStreamEventFlagKernelDropped | kFSEventStreamEventFlagMount | kFSEventStreamEventFlagUnmount
        if flags & lost != 0 { return .rescan }
        var status = stat()
        if lstat(place, &status) != 0 { return .removed }
        // Items that move are reported as gone at one place and come to another; the flags add up over time.
        if flags & (kFSEventStreamEventFlagItemCreated | kFSEventStreamEventFlagItemRenamed) != 0 { return .created }
        return flags & kFSEventStreamEventFlagItemModified != 0 ? .modified : .attributes
    }
}
#endif
#endif
