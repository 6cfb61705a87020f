import FerryCore
import Foundation
import NIOCore
import Synchronization

#if DEBUG
@testable import FerryCache
#endif

/// A process that fills a store until it kills itself, or has done so many things.
///
///     ferry-cache-victim FOLDER SEED BYTES STEPS [statement|millisecond|largest N]
///
/// It dies before a statement of its index by number, or after so many milliseconds, wherever it is then; or else no file
/// that it writes can be larger than N bytes, as on a disk that is full. It needs a debug build, which shows it the store's
/// inner side.
@main
enum Victim {
    static func main() async {
        #if DEBUG
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let seed = UInt64(arguments[2]), let bytes = Int64(arguments[3]),
            let steps = Int(arguments[4])
        else {
            print("usage: FOLDER SEED BYTES STEPS [statement|millisecond|largest N]")
            exit(2)
        }
        let number = arguments.count > 6 ? Int(arguments[6]) ?? 0 : 0
        var last: Int?
        switch arguments.count > 6 ? arguments[5] : "" {
        case "statement": last = number
        case "millisecond": Thread.detachNewThread { die(after: number) }
        case "largest": limitFiles(to: number)
        default: break
        }
        let statements = Statements(last: last)
        let store = CacheStore(
            at: arguments[1],
            limits: CacheLimits(memoryBytes: 1 << 18, diskBytes: bytes),
            trace: { _ in statements.count() }
        )
        var work = VictimWork(store: store, seed: seed)
        for _ in 0..<steps { await work.step() }
        await store.flush()
        print("done \(store.disk?.replacements ?? 0)")
        #else
        print("it needs a debug build")
        exit(2)
        #endif
    }
}

/// Counts statements, and dies before one of them.
private final class Statements: Sendable {
    private let number = Atomic(0)
    private let last: Int?

    init(last: Int?) {
        self.last = last
    }

    func count() {
        if number.add(1, ordering: .relaxed).newValue == last { die(after: 0) }
    }
}

/// Ends this process as `kill -9` does.
private func die(after milliseconds: Int) {
    if milliseconds > 0 { usleep(UInt32(milliseconds) * 1000) }
    kill(getpid(), SIGKILL)
    while true { pause() }
}

/// Lets no file grow beyond so many bytes.
private func limitFiles(to bytes: Int) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    #if canImport(Glibc)
    setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #else
    setrlimit(RLIMIT_FSIZE, &limit)
    #endif
}
