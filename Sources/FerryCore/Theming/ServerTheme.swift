public import Foundation

/// The name and the look of a server, so that an app can greet its users with them.
public struct ServerTheme: Sendable, Hashable, Codable {
    /// The server's name.
    public var name: String?
    /// The URL of its home page.
    public var url: URL?
    /// The server's slogan.
    public var slogan: String?
    /// The accent colour, as `#rrggbb` in lower case.
    public var color: String?
    /// The colour of text on the accent colour, as `#rrggbb` in lower case.
    public var textColor: String?
    /// The colour of elements such as buttons and check boxes, as `#rrggbb` in lower case: the accent colour, or one near it
    /// that can be told from the page.
    public var elementColor: String?
    /// The colour of elements on a bright page, as `#rrggbb` in lower case.
    public var brightElementColor: String?
    /// The colour of elements on a dark page, as `#rrggbb` in lower case.
    public var darkElementColor: String?
    /// The URL of its logo.
    public var logo: URL?
    /// The URL of its background picture; `nil` if the background is a plain colour.
    public var background: URL?

    /// A Boolean value that indicates whether the background is a plain colour instead of a picture.
    public var hasPlainBackground: Bool?
    /// A Boolean value that indicates whether the background is the one that the server came with.
    public var hasDefaultBackground: Bool?

    /// Makes a theme of which nothing is known.
    public init() {}
}

/// A storage that tells how it looks.
public protocol FileProviderTheming: FileProviderBasic {
    /// Returns the server's name and look.
    ///
    /// - Returns: The known properties; every one may be `nil`.
    /// - Throws: Errors of the connection.
    func theme() async throws -> ServerTheme
}
