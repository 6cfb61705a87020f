import Foundation

/// The browser of a person who sits at this machine.
enum Browser {
    /// Has a URL opened, where there is a desktop; what can't be opened was shown already.
    ///
    /// - Parameters:
    ///   - url: The URL to open; others on this machine can see it.
    ///   - environment: `DISPLAY` or `WAYLAND_DISPLAY` tell of a desktop.
    static func open(_ url: URL, environment: [String: String]) {
        let isDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
        guard isDesktop, ["http", "https"].contains(url.scheme?.lowercased()) else { return }
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url.absoluteString), nil]
        defer { words.forEach { free($0) } }
        var files = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&files) == 0 else { return }
        defer { posix_spawn_file_actions_destroy(&files) }
        // The output of `xdg-open` is not for the person who reads ours.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        var process = pid_t()
        _ = posix_spawnp(&process, "xdg-open", &files, nil, words, environ)
    }
}
