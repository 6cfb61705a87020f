import Foundation

/// The way in which a section of an `rclone.conf` becomes a configuration.
public struct RcloneRule: Sendable {
    /// Makes a configuration of a section.
    public typealias Translator = @Sendable (RcloneSection) throws -> RcloneRemote

    /// The section's `type`.
    public let type: String

    /// The section's keys by the options that are the same under another name; a value of `0` or `false` is left out.
    public var renamed: [(key: String, option: String)] = []

    /// The keys that are left out with a note, since nothing here is like them.
    public var leftOut: [String] = []

    /// Decides whether a section of this type is meant, where several kinds of storage share a type.
    public var applies: @Sendable (RcloneSection) -> Bool = { _ in true }

    private let translator: Translator

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - type: The section's `type`.
    ///   - translator: Makes a configuration of a section; options that are only renamed are added to it.
    public init(type: String, translator: @escaping Translator) {
        self.type = type
        self.translator = translator
    }

    /// Makes a configuration of a section.
    ///
    /// - Parameter section: The section.
    /// - Returns: The configuration with its secret, and notes on what could not be kept.
    /// - Throws: ``RcloneSection/Problem`` for a section that can't be used.
    public func translate(_ section: RcloneSection) throws -> RcloneRemote {
        var remote = try translator(section)
        for (key, option) in renamed {
            guard let text = section.value(key), text != "0", text.lowercased() != "false" else { continue }
            remote.configuration.options[option] = text
        }
        for key in leftOut where section.value(key) != nil { remote.notes.append("'\(key)' was left out") }
        return remote
    }
}

/// A remote that was made of a section.
public struct RcloneRemote: Sendable {
    /// The configuration.
    public var configuration: ProviderConfiguration

    /// The secret; `nil` if there is none, or it can't be read.
    public var secret: FileProviderCredential.Secret?

    /// Notes on what could not be kept, each a part of a sentence.
    public var notes: [String]

    /// The secret of the app to which a token was issued; `nil` if there is none.
    public var clientSecret: String?

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - secret: The secret.
    ///   - notes: Notes on what could not be kept.
    public init(
        _ configuration: ProviderConfiguration,
        secret: FileProviderCredential.Secret? = nil,
        notes: [String] = []
    ) {
        self.configuration = configuration
        self.secret = secret
        self.notes = notes
    }
}

/// A section of an `rclone.conf`.
public struct RcloneSection: Sendable {
    /// The reason why a section can't be used, as a part of a sentence.
    public struct Problem: Error {
        /// The words: "it has no valid host".
        public let words: String

        /// Makes a problem.
        ///
        /// - Parameter words: The words.
        public init(_ words: String) {
            self.words = words
        }
    }

    private let values: [String: String]
    private let reveal: @Sendable (String) -> String?

    /// Makes a section.
    ///
    /// - Parameters:
    ///   - values: Its keys and values.
    ///   - reveal: Returns the password that an obscured text stands for; `nil` if it is none.
    public init(_ values: [String: String], reveal: @escaping @Sendable (String) -> String?) {
        self.values = values
        self.reveal = reveal
    }

    /// Returns the value of a key.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value; `nil` if it is missing or empty.
    public func value(_ key: String) -> String? { values[key].flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns whether a key is set to `true`.
    ///
    /// - Parameter key: The key.
    /// - Returns: `true` if it is.
    public func isOn(_ key: String) -> Bool { value(key)?.lowercased() == "true" }

    /// Returns a password.
    ///
    /// - Parameter key: The key of the obscured text.
    /// - Returns: The password, and a note if it could not be read; neither if there is none.
    public func password(_ key: String = "pass") -> (secret: FileProviderCredential.Secret?, notes: [String]) {
        guard let obscured = value(key) else { return (nil, []) }
        if let password = reveal(obscured) { return (.password(password), []) }
        return (nil, ["its password could not be read, so it is asked for"])
    }

    /// Returns the secret that a token of OAuth 2 stands for.
    ///
    /// - Parameter key: The key of the JSON object.
    /// - Returns: The secret, and a note if it could not be read; neither if there is none.
    public func token(_ key: String = "token") -> (secret: FileProviderCredential.Secret?, notes: [String]) {
        guard let text = value(key) else { return (nil, []) }
        if let secret = FileProviderCredential.Secret(token: text) { return (secret, []) }
        return (nil, ["its token could not be read, so a login is needed"])
    }

    /// Returns a port.
    ///
    /// - Returns: The port; `nil` if none is named.
    /// - Throws: ``Problem`` for a text that is no port.
    public func port() throws -> Int? {
        guard let text = value("port") else { return nil }
        guard let number = UInt16(text) else { throw Problem("it has no valid port") }
        return Int(number)
    }
}
