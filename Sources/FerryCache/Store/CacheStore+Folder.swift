#if !canImport(Darwin)
public import Foundation

extension CacheStore {
    /// The folder of Ferry in the user's folder for what can be had again: `$XDG_CACHE_HOME/ferry`, else `~/.cache/ferry`.
    ///
    /// As the specification demands, a relative path in the variable is as good as none.
    public static var standardDirectory: URL {
        URL(filePath: standardDirectory(ProcessInfo.processInfo.environment), directoryHint: .isDirectory)
    }

    static func standardDirectory(_ environment: [String: String]) -> String {
        if let path = environment["XDG_CACHE_HOME"], path.hasPrefix("/") { return path + "/ferry" }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
        return home + "/.cache/ferry"
    }
}
#endif
