public import FerryCore
public import Foundation

/// How a server looks and what it is called, so that an app can greet its users with it.
public struct ServerTheme: Sendable, Hashable, Codable {
    /// What the server is called.
    public var name: String?
    /// Where its home page is.
    public var url: URL?
    /// What it says of itself.
    public var slogan: String?
    /// The accent colour, as `#rrggbb` in lower case.
    public var color: String?
    /// The colour of text on the accent colour, as `#rrggbb` in lower case.
    public var textColor: String?
    /// Where its logo is.
    public var logo: URL?
    /// Where its background picture is; `nil` if the background is a plain colour.
    public var background: URL?

    /// Makes a theme of which nothing is known.
    public init() {}
}

/// A storage that tells how it looks.
public protocol FileProviderTheming: FileProviderBasic {
    /// How the server looks.
    ///
    /// - Returns: What is known; every property may be `nil`.
    /// - Throws: Errors of the connection.
    func theme() async throws -> ServerTheme
}
