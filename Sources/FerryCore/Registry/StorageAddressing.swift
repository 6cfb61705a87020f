/// The URLs that lead to a kind of storage.
public struct StorageAddressing: Sendable {
    /// A scheme that a person may write before `://`.
    public struct Scheme: Sendable, Hashable {
        /// The scheme as it is written, in lower case.
        public let written: String

        /// The scheme of the URL that the provider takes.
        public let url: String

        /// The port of a URL that has none.
        public let defaultPort: Int

        /// Makes a scheme.
        ///
        /// - Parameters:
        ///   - written: The scheme as it is written, in lower case.
        ///   - url: The scheme of the URL that the provider takes; the same if `nil`.
        ///   - defaultPort: The port of a URL that has none.
        public init(_ written: String, url: String? = nil, defaultPort: Int) {
            self.written = written
            self.url = url ?? written
            self.defaultPort = defaultPort
        }
    }

    /// The schemes, the most telling first.
    public let schemes: [Scheme]

    /// An example for a message: `https://host/folder/`.
    public let example: String

    /// The noun for a server of this kind, with its article: `an FTP server`.
    public let serverWords: String

    /// The first name of a path that stands for the user's own folder, such as `~`; `nil` if there is none.
    public var homeName: String?

    /// The path, percent-encoded, at which a server shows all of its files, for a path that begins with a slash in an
    /// `rclone.conf`; `nil` if it is the URL's own.
    public var topPath: String?

    /// Finds the folder of a URL's path at which a storage of this kind begins that shares its schemes with a plainer one.
    ///
    /// The parameters are the path and the user's name there. The result is `nil` for a path that can't lead into such a
    /// storage; otherwise the server has to confirm it, since anybody can use such a path.
    public var base: (@Sendable (_ path: ItemPath, _ user: String) -> ItemPath?)?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - schemes: The schemes, the most telling first.
    ///   - example: An example for a message.
    ///   - serverWords: The noun for a server of this kind, with its article.
    public init(schemes: [Scheme], example: String, serverWords: String) {
        self.schemes = schemes
        self.example = example
        self.serverWords = serverWords
    }

    /// Returns what a scheme stands for.
    ///
    /// - Parameter written: The scheme as a person wrote it, in lower case.
    /// - Returns: The scheme; `nil` for one that does not lead here.
    public func scheme(_ written: String) -> Scheme? { schemes.first { $0.written == written } }
}
