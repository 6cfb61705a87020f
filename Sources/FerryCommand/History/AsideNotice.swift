import FerryCore
import Foundation

/// Says, the first time, that something of ours is on a server, and how that is switched off.
struct AsideNotice {
    let session: Session
    private let file: PrivateFile

    init(_ session: Session) {
        self.session = session
        let history = UserFolders(environment: session.environment).history
        file = PrivateFile(path: (history as NSString).deletingLastPathComponent + "/told")
    }

    /// Says so of servers of which it wasn't said before.
    ///
    /// - Parameter prefixes: The prefixes of locations on them.
    func tell(of prefixes: Set<String>) async {
        for prefix in await news(prefixes).sorted() {
            let isNamed = !prefix.contains("://")
            let off = isNamed ? "undo = false for it in remotes.toml" : "FERRY_HISTORY=off"
            session.console.tell(
                TerminalText.oneLine(
                    "ferry: note: what is replaced or removed on \(prefix) is kept there for 'ferry undo', in the hidden "
                        + "folder '.ferry-undo'; \(off) switches that off"
                )
            )
        }
    }

    /// Those of which nothing was said, which are noted.
    private func news(_ prefixes: Set<String>) async -> Set<String> {
        do {
            return try await BlockingWork.run { [file] in
                try file.exclusively {
                    let known = String(decoding: try file.read() ?? Data(), as: UTF8.self).split(separator: "\n")
                    let news = prefixes.subtracting(known.map(String.init))
                    if !news.isEmpty {
                        let all = Set(known.map(String.init)).union(news).sorted()
                        try file.replace(with: Data((all.joined(separator: "\n") + "\n").utf8))
                    }
                    return news
                }
            }
        } catch {
            // Said once too often is better than never.
            return prefixes
        }
    }
}
