public import Foundation

/// How a server looks and what it is called, so that an app can greet its users with it.
public struct ServerTheme: Sendable, Hashable, Codable {
    /// The server's name.
    public var name: String?
    /// Where its home page is.
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
    /// Where its logo is.
    public var logo: URL?
    /// Where its background picture is; `nil` if the background is a plain colour.
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
    /// How the server looks.
    ///
    /// - Returns: The known properties; every one may be `nil`.
    /// - Throws: Errors of the connection.
    func theme() async throws -> ServerTheme
}
