public import FerryCore
public import FerryHTTP
public import Foundation
import HTTPTypes

/// How the server looks, from its OCS capabilities.
extension NextcloudFileProvider: FileProviderTheming {
    /// Returns the server's name and look.
    ///
    /// - Returns: The known properties; each may be `nil`.
    /// - Throws: Errors of the connection.
    public func theme() async throws -> ServerTheme {
        ServerTheme(try await api.call(.get, "cloud/capabilities"), at: place)
    }

    /// Returns a server's name and look, for a page where people log in: every server gives them to anybody.
    ///
    /// - Parameters:
    ///   - server: Any URL of the server.
    ///   - transport: The transport that carries the request; it is ended afterwards.
    ///   - environment: Where to log.
    /// - Returns: The known properties; each may be `nil`.
    /// - Throws: `URLError.unsupportedURL`; errors of the connection; those of a server that is no Nextcloud.
    public static func theme(
        of server: URL,
        transport: any HTTPTransport = NIOTransport(),
        environment: FileProviderEnvironment = FileProviderEnvironment()
    ) async throws -> ServerTheme {
        guard let place = NextcloudPlace(server) else {
            throw URLError.answer(.unsupportedURL, description: "not the URL of a server", url: server.withoutUserInfo)
        }
        let session = HTTPSession(transport: transport, logger: environment.logger)
        let api = OCSClient(session: session, origin: place.origin, prefix: place.prefix)
        do {
            let theme = ServerTheme(try await api.call(.get, "cloud/capabilities"), at: place)
            await session.invalidate()
            return theme
        } catch {
            await session.invalidate()
            throw error
        }
    }
}

extension ServerTheme {
    init(_ data: OCSValue, at place: NextcloudPlace) {
        self.init()
        let theming = data["capabilities"]["theming"]
        name = theming["name"].text
        url = theming["url"].text.flatMap { URL(string: $0) }
        slogan = theming["slogan"].text
        color = theming["color"].text.flatMap(Self.color)
        textColor = theming["color-text"].text.flatMap(Self.color)
        elementColor = theming["color-element"].text.flatMap(Self.color)
        brightElementColor = theming["color-element-bright"].text.flatMap(Self.color)
        darkElementColor = theming["color-element-dark"].text.flatMap(Self.color)
        hasPlainBackground = theming["background-plain"].flag
        hasDefaultBackground = theming["background-default"].flag
        logo = theming["logo"].text.flatMap(place.reachable)
        // A plain background is told as a colour.
        background =
            hasPlainBackground == true ? nil : theming["background"].text.flatMap(place.reachable)
    }

    /// A colour as `#rrggbb` in lower case; `nil` for anything else.
    static func color(_ text: String) -> String? {
        var digits = text.lowercased().drop { $0 == "#" }.map { $0 }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
        return "#" + String(digits)
    }
}
