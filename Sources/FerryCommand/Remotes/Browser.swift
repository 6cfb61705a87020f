import FerryProcess
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
        let variables = ProcessInfo.processInfo.environment
        guard let path = ChildProgram.find("xdg-open", environment: variables) else { return }
        // Its output is not for the person who reads ours. It may be the browser itself, and outlives us then: nobody
        // ends it or waits for it, and if it ends earlier, it is a zombie until this command ends, too. If it can't be
        // started, the person opens the URL that was shown.
        let words = [url.absoluteString]
        _ = try? ChildProcess(.init(path: path, arguments: words, environment: variables, isolation: .none))
    }
}
