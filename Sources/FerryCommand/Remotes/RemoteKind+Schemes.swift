extension RemoteKind {
    /// What a person may write before `://`, and the scheme of the URL that the provider takes.
    var schemes: [String: String] {
        switch self {
        case .webdav, .nextcloud: ["dav": "http", "davs": "https", "http": "http", "https": "https"]
        case .sftp: ["sftp": "sftp"]
        case .ftp: ["ftp": "ftp", "ftps": "ftps"]
        }
    }

    /// A URL of such a storage, as an example.
    var exampleURL: String {
        switch self {
        case .webdav, .nextcloud: "https://host/folder/"
        case .sftp: "sftp://user@host/folder"
        case .ftp: "ftp://host/folder/ or ftps://host/folder/"
        }
    }

    /// What a URL of such a storage is, as in "not the URL of …".
    var serverWords: String {
        switch self {
        case .webdav, .nextcloud: "a web server"
        case .sftp: "an SFTP server"
        case .ftp: "an FTP server"
        }
    }

    /// Indicates whether a login begins with a password; else the server may ask for one when it comes to that.
    var beginsWithPassword: Bool {
        switch self {
        case .webdav, .nextcloud, .ftp: true
        case .sftp: false
        }
    }

    /// The kind of storage that a URL with nothing else leads to.
    ///
    /// - Parameter scheme: What stands before `://`, in lower case.
    /// - Returns: `nil` for a scheme that no storage has.
    static func kind(ofScheme scheme: String) -> RemoteKind? {
        allCases.first { $0.schemes[scheme] != nil }
    }
}
