import FerryCore
import Foundation
import Synchronization

/// Counts the bytes that are read of a storage, and can hold readers back.
final class CountingFileProvider<Base: FileProviderReadWrite>: FileProviderWrapper {
    let base: Base
    private let counts = Mutex((bytes: 0, reads: 0, now: 0, most: 0))
    private let capabilitiesOfOurs: FileProviderCapabilities

    init(_ base: Base, readsRanges: Bool = true) {
        self.base = base
        var capabilities = base.capabilities
        capabilities.readsRanges = readsRanges
        capabilitiesOfOurs = capabilities
    }

    var capabilities: FileProviderCapabilities { capabilitiesOfOurs }

    var bytes: Int { counts.withLock { $0.bytes } }
    var reads: Int { counts.withLock { $0.reads } }
    /// How many readers there were at the same time, at most.
    var mostAtOnce: Int { counts.withLock { $0.most } }

    func contents(path: ItemPath, reporting progress: Progress?) async throws -> Data {
        try await counted { try await base.contents(path: path, reporting: progress) }
    }

    func contents(path: ItemPath, offset: Int64, length: Int64?, reporting progress: Progress?) async throws -> Data {
        try await counted {
            try await base.contents(path: path, offset: offset, length: length, reporting: progress)
        }
    }

    private func counted(_ read: () async throws -> Data) async throws -> Data {
        counts.withLock { counts in
            counts.reads += 1
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
        let data = try await read()
        counts.withLock { counts in
            counts.bytes += data.count
            counts.now -= 1
        }
        return data
    }
}

extension CountingFileProvider: FileProviderReadWrite {}
