import FerryCore
import Foundation

/// The facts that are shown of a remote: all but its secret.
struct RemoteFacts {
    private let remote: Remote

    /// Collects the facts.
    init(_ remote: Remote) {
        self.remote = remote
    }

    /// The URL, and the user's name there.
    var place: String {
        let configuration = remote.configuration
        let url = configuration.baseURL?.absoluteString ?? "-"
        return configuration.user.map { "\(url) (\($0))" } ?? url
    }

    /// Writes a fact a line.
    ///
    /// - Parameters:
    ///   - more: Facts at the end.
    ///   - sink: Where they go.
    ///   - styling: Colours.
    /// - Throws: Any error that writing throws.
    func write(_ more: [(String, String)] = [], to sink: ByteSink, styling: Styling) throws {
        let configuration = remote.configuration
        var facts = [("name", remote.name), ("type", configuration.type)]
        if let url = configuration.baseURL { facts.append(("url", url.absoluteString)) }
        if let user = configuration.user { facts.append(("user", user)) }
        facts += configuration.options.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if !remote.isCached { facts.append(("cache", "off")) }
        if !remote.isUndoable { facts.append(("undo", "off")) }
        try FactLines(facts + more).write(to: sink, styling: styling)
    }

    /// Writes a JSON object.
    ///
    /// - Parameters:
    ///   - sink: Where it goes.
    ///   - more: Adds keys at the end.
    /// - Throws: Any error that writing throws.
    func writeJSON(to sink: ByteSink, more: (inout JSONLine) -> Void = { _ in }) throws {
        let configuration = remote.configuration
        try sink.writeObject { line in
            line.text("name", remote.name)
            line.text("type", configuration.type)
            line.text("url", configuration.baseURL?.absoluteString)
            line.text("user", configuration.user)
            line.key("options")
            line.begin()
            for (key, value) in configuration.options.sorted(by: { $0.key < $1.key }) {
                line.key(key)
                line.string(value)
            }
            line.endInner()
            if !remote.isCached { line.flag("cache", false) }
            if !remote.isUndoable { line.flag("undo", false) }
            more(&line)
        }
    }
}
