import FerryCore
import Foundation

extension OAuth2Client {
    /// The port in the URL to which a browser is sent back, where the server takes any.
    private static let usualPort = 53_682

    /// Begins a login with a browser on another machine, of which the person pastes what it shows.
    ///
    /// The server shows a code, or sends the browser to this machine's name for itself, `127.0.0.1`: nothing answers
    /// there, and the address that the browser then shows has the code in it.
    ///
    /// - Returns: The login, with the URL to open.
    /// - Throws: `URLError.unsupportedURL` if the server has no login in a browser.
    public func beginPastedLogin() throws -> OAuth2Login {
        if configuration.showsCode { return try beginLogin(redirectURL: nil) }
        let port = configuration.redirectPort.flatMap { $0 == 0 ? nil : Int($0) } ?? Self.usualPort
        return try beginLogin(
            redirectURL: OAuth2LoopbackReceiver.redirectURL(port: port, host: configuration.redirectHost)
        )
    }

    /// Ends a login with a browser on another machine.
    ///
    /// - Parameters:
    ///   - login: The login that was begun.
    ///   - text: The code that the server has shown, or the address at which the browser has ended.
    /// - Returns: The tokens; store them.
    /// - Throws: `URLError.userAuthenticationRequired` for a login that was refused, an address that belongs to another
    ///   login, and a code that the server does not take; errors of the connection.
    public func token(for login: OAuth2Login, pasted text: String) async throws -> OAuth2Token {
        try await token(for: login, code: try login.code(pasted: text))
    }
}

extension OAuth2Login {
    /// Returns the code in what a person has pasted.
    ///
    /// - Parameter text: The code that the server has shown, alone or as `code=…`, or the address at which the browser has
    ///   ended; white space around it, and in it where a terminal has broken the line, doesn't matter.
    /// - Returns: The code.
    /// - Throws: `URLError.userAuthenticationRequired` if it is not the answer to this login, or a refusal.
    func code(pasted text: String) throws -> String {
        let text = text.filter { !$0.isWhitespace }
        guard let fields = Self.fields(ofAddress: text) else {
            guard redirectURL == nil, !text.isEmpty else {
                throw Self.refusal("this is not the address at which the browser ended", "paste all of it")
            }
            return text
        }
        if redirectURL != nil, fields["state"] != state {
            throw Self.refusal("this is the answer to another login", "open the address that was shown last")
        }
        guard let code = fields["code"], !code.isEmpty else {
            throw Self.refusal("the login was refused", "log in again, and allow it")
        }
        return code
    }

    /// The parameters of an address, or of a line such as `code=…` that stands alone; `nil` for another text.
    private static func fields(ofAddress text: String) -> [String: String]? {
        if text.hasPrefix("code=") { return OAuth2Form.pairs(text[...]) }
        guard text.contains("://"), let start = text.firstIndex(of: "?") else { return nil }
        return OAuth2Form.pairs(text[text.index(after: start)...].prefix { $0 != "#" })
    }

    private static func refusal(_ description: String, _ suggestion: String) -> URLError {
        .answer(.userAuthenticationRequired, description: description, suggestion: suggestion)
    }
}
