#if DEBUG
import FerryCore
import Foundation
import NIOCore

@testable import FerryCache

/// One thing after the other that a store is asked to do, by a seed.
struct VictimWork {
    let store: CacheStore
    private var random: UInt64

    init(store: CacheStore, seed: UInt64) {
        self.store = store
        random = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    private mutating func next(_ bound: Int) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int(random % UInt64(bound))
    }

    mutating func step() async {
        let cache = store.account(VictimBytes.accounts[next(VictimBytes.accounts.count)])
        let folder = VictimBytes.folders[next(VictimBytes.folders.count)]
        let path = VictimBytes.files[next(VictimBytes.files.count)]
        let version = next(VictimBytes.versions)
        switch next(22) {
        case 0..<3:
            let items = VictimBytes.items(folder, version, cache.account)
            await cache.keep(items, .listing, folder, version: CacheVersion(eTag: "\(version)"), asked: cache.mark())
        case 3..<7:
            let value = VictimBytes.value(path, version, cache.account)
            await cache.keep(value, .metadata, path, version: CacheVersion(eTag: "\(version)"), asked: cache.mark())
        case 7..<17: await keepContents(path, version, cache)
        case 17: await cache.remove(path, below: false)
        case 18: await cache.remove(folder, below: true)
        case 19...20:
            let isBack = next(2) == 0
            await cache.move(VictimBytes.names[isBack ? 1 : 0], to: VictimBytes.names[isBack ? 0 : 1])
        default: _ = await cache.value(.metadata, path, as: Data.self)
        }
    }

    private mutating func keepContents(_ path: ItemPath, _ version: Int, _ cache: AccountCache) async {
        let length = VictimBytes.length(path, version)
        let writer = await cache.writer(
            path,
            version: CacheVersion(eTag: "\(version)"),
            length: length,
            asked: cache.mark()
        )
        guard let writer else { return }
        var position = next(2) == 0 ? 0 : Int64(next(Int(length)))
        let end = next(2) == 0 ? length : min(length, position + Int64(next(400_000)))
        while position < end {
            let range = position..<min(end, position + 100_000)
            await writer.write(ByteBuffer(bytes: VictimBytes.bytes(path, version, cache.account, range)), at: position)
            position = range.upperBound
        }
        await writer.finish()
    }
}
#endif
