import Foundation

/// The folder that paths begin at.
public enum DropboxPathRoot: Sendable, Hashable {
    /// The member's own folder.
    case home
    /// The space that all members of the team share, with each member's own folder in it.
    case team
    /// A namespace by its number, such as that of a shared folder.
    case namespace(String)

    /// Reads what an option says.
    ///
    /// - Parameter text: `home`, `team`, or the number of a namespace.
    public init?(_ text: String) {
        switch text {
        case "home": self = .home
        case "team": self = .team
        default:
            guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            self = .namespace(text)
        }
    }

    /// The option's text.
    public var text: String {
        switch self {
        case .home: "home"
        case .team: "team"
        case .namespace(let id): id
        }
    }

    /// The page that shows the folder.
    ///
    /// A namespace has no known page: its URL only serves to tell roots apart.
    var page: URL {
        let home = DropboxOptions.vendor("https://www.dropbox.com/home/")
        return switch self {
        case .home: home
        case .team: DropboxOptions.vendor("https://www.dropbox.com/work/")
        case .namespace(let id): home.appending(path: "ns:\(id)/")
        }
    }
}
