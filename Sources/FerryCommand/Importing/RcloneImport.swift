import FerryCore
import Foundation

/// Decides what becomes of rclone's remotes, from the file alone.
struct RcloneImport {
    /// The outcome for one remote.
    enum Outcome {
        /// A remote of ours, with its secret; the notes say what could not be kept.
        case remote(RcloneRemote)
        /// It is not needed here.
        case needless(String)
        /// It can't be imported.
        case unsupported(String)
    }

    private let sections: [String: RcloneFile.Section]

    /// Begins.
    ///
    /// - Parameter file: The file.
    init(_ file: RcloneFile) {
        sections = Dictionary(file.sections.map { ($0.name, $0) }) { _, last in last }
    }

    /// Decides about one remote.
    ///
    /// - Parameter section: The remote as rclone has it.
    /// - Returns: The outcome.
    func outcome(of section: RcloneFile.Section) -> Outcome {
        switch section.values["type"] {
        case "alias": return alias(section.values)
        case "local": return .needless("it is this machine, whose paths need no remote")
        case let type?:
            let values = RcloneSection(section.values) { RcloneObscured.reveal($0) }
            let rule = StorageKind.all.compactMap(\.rclone).first { $0.type == type && $0.applies(values) }
            guard let rule else { return .unsupported("rclone's type '\(type)' is not supported yet") }
            do {
                let remote = try rule.translate(values)
                try remote.configuration.kind?.check(remote.configuration.options)
                return .remote(remote)
            } catch let problem as RcloneSection.Problem {
                return .unsupported(problem.words)
            } catch {
                return .unsupported(ErrorLine(error).words)
            }
        case nil: return .unsupported("it has no type")
        }
    }

    /// Another name for a folder of another remote: here it is a remote of its own.
    private func alias(_ values: [String: String]) -> Outcome {
        guard let target = values["remote"], let colon = target.firstIndex(of: ":"),
            let section = sections[String(target[..<colon])], section.values["type"] != "alias"
        else { return .needless("it is another name for a local folder") }
        guard case .remote(var remote) = outcome(of: section) else {
            return .unsupported("it is another name for '\(target)', which can't be imported")
        }
        guard remote.configuration.baseURL != nil else {
            return .unsupported("it leads into '\(target)', and a folder there can't be a remote of its own")
        }
        guard let path = ItemPath("/" + target[target.index(after: colon)...]), let base = remote.configuration.baseURL,
            var parts = URLComponents(url: base, resolvingAgainstBaseURL: true)
        else { return .unsupported("it leads to '\(target)', which is not a valid path") }
        if target[colon...].hasPrefix(":/") {
            // There a path with a slash before it begins at the server's top.
            if let top = remote.configuration.kind?.addressing?.topPath { parts.percentEncodedPath = top }
        }
        while parts.percentEncodedPath.hasSuffix("/") { parts.percentEncodedPath.removeLast() }
        parts.percentEncodedPath += path.isRoot ? "/" : path.percentEncoded + "/"
        remote.configuration.baseURL = parts.url
        return .remote(remote)
    }
}
