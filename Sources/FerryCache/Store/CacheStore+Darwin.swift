#if canImport(Darwin)
public import Foundation

extension CacheStore {
    /// The folder of Ferry in the system's caches folder.
    public static var standardDirectory: URL {
        URL.cachesDirectory.appending(path: "ferry", directoryHint: .isDirectory)
    }
}
#endif
