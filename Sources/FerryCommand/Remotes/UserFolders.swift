import Foundation

/// Where a person's programs keep their things: the XDG base directories.
struct UserFolders: Sendable {
    /// The folder for settings that a person decides, and may edit: `$XDG_CONFIG_HOME/ferry`.
    let configuration: String

    /// The folder for data of the person's account that is not for editing: `$XDG_DATA_HOME/ferry`.
    let data: String

    /// The folder for state that programs remember from one run to the next: `$XDG_STATE_HOME/ferry`.
    let state: String

    /// The folder for data that can be fetched again: `$XDG_CACHE_HOME/ferry`.
    let cache: String

    /// The file of a person's preferences.
    var settings: String { configuration + "/config.toml" }

    /// Where uploads that are under way are remembered, so that a later run goes on with them.
    var uploads: URL { URL(filePath: state + "/uploads", directoryHint: .isDirectory) }

    /// Where what commands have done is written down.
    var history: String { state + "/history" }

    /// Where copies of what they have replaced or removed are, of storages that keep nothing themselves.
    var shadow: URL { URL(filePath: state + "/kept", directoryHint: .isDirectory) }

    /// Where transfers that are under way are remembered.
    var journal: URL { URL(filePath: state + "/transfers.sqlite", directoryHint: .notDirectory) }

    /// Finds the folders; they need not exist.
    ///
    /// - Parameter environment: `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME`, `XDG_CACHE_HOME`, and `HOME` for
    ///   their defaults. As the specification demands, a relative path is as good as none.
    init(environment: [String: String]) {
        func folder(_ variable: String, _ fallback: String) -> String {
            if let path = environment[variable], path.hasPrefix("/") { return path + "/ferry" }
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
            return home + "/" + fallback + "/ferry"
        }
        configuration = folder("XDG_CONFIG_HOME", ".config")
        data = folder("XDG_DATA_HOME", ".local/share")
        state = folder("XDG_STATE_HOME", ".local/state")
        cache = folder("XDG_CACHE_HOME", ".cache")
    }
}
