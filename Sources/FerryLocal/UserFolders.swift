public import FerryCore
public import Foundation

/// Where the user's folders are (freedesktop.org: Base Directory specification, and xdg-user-dirs).
struct UserFolders {
    private let environment: [String: String]

    /// Reads an environment.
    ///
    /// - Parameter environment: Variables and their values.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.environment = environment
    }

    /// The user's home.
    var home: String {
        absolute(environment["HOME"]) ?? NSHomeDirectory()
    }

    /// Where programs keep their data.
    var dataHome: String { absolute(environment["XDG_DATA_HOME"]) ?? home + "/.local/share" }

    /// Where programs keep what they remember from one run to the next.
    var stateHome: String { absolute(environment["XDG_STATE_HOME"]) ?? home + "/.local/state" }

    /// Where programs keep what they can make again.
    var cacheHome: String { absolute(environment["XDG_CACHE_HOME"]) ?? home + "/.cache" }

    /// Where programs keep their settings.
    var configurationHome: String { absolute(environment["XDG_CONFIG_HOME"]) ?? home + "/.config" }

    /// One of the folders that a user knows, by its name in `user-dirs.dirs`.
    ///
    /// - Parameters:
    ///   - key: `DOCUMENTS`, `DOWNLOAD` …
    ///   - name: The folder's name in a home that has no such file.
    /// - Returns: Its path. A folder that is switched off there is the home itself.
    func known(_ key: String, otherwise name: String) -> String {
        let variable = "XDG_\(key)_DIR"
        return absolute(environment[variable]) ?? configured(variable) ?? home + "/" + name
    }

    /// The variables of the specification hold absolute paths; others are to be ignored.
    private func absolute(_ path: String?) -> String? {
        guard var path, path.hasPrefix("/") else { return nil }
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    /// A line of `user-dirs.dirs` is `XDG_…_DIR="$HOME/…"` or `XDG_…_DIR="/…"`; nothing else is allowed.
    private func configured(_ variable: String) -> String? {
        guard let text = try? String(contentsOfFile: configurationHome + "/user-dirs.dirs", encoding: .utf8) else {
            return nil
        }
        for line in text.split(separator: "\n") {
            let line = line.trimmingPrefix(while: \.isWhitespace)
            guard line.hasPrefix(variable + "=\"") else { continue }
            let value = line.dropFirst(variable.count + 2).prefix { $0 != "\"" }
            if value.hasPrefix("$HOME") { return absolute(home + value.dropFirst("$HOME".count)) }
            if let path = absolute(String(value)) { return path }
        }
        return nil
    }
}

extension LocalFileProvider {
    /// Shows one of the user's folders.
    ///
    /// On Linux these are the folders of the XDG specifications: `.documentDirectory` is what `user-dirs.dirs` or
    /// `XDG_DOCUMENTS_DIR` say, `.cachesDirectory` is `XDG_CACHE_HOME`, `.applicationSupportDirectory` is
    /// `XDG_DATA_HOME`.
    ///
    /// - Parameters:
    ///   - directory: Which folder.
    ///   - create: `true` to make it if it is missing.
    ///   - synchronizes: `true` if a write returns only when the bytes would survive a loss of power.
    ///   - environment: Queues, delegates and logger.
    /// - Throws: `CocoaError.featureUnsupported` for a folder that this system doesn't have; what keeps it from being
    ///   made.
    public convenience init(
        for directory: FileManager.SearchPathDirectory,
        create: Bool = false,
        synchronizes: Bool = false,
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) throws {
        guard let url = Self.url(of: directory) else {
            throw CocoaError.unsupported("such a folder", path: .root)
        }
        if create { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        self.init(baseURL: url, synchronizes: synchronizes, environment: environment)
    }
}
