#if canImport(Darwin)
import Foundation

extension CacheStore {
    /// The folder of Ferry in the system's caches folder.
    public static var standardDirectory: String {
        URL.cachesDirectory.appending(path: "ferry", directoryHint: .isDirectory).path(percentEncoded: false)
    }
}
#endif
