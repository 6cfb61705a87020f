import Foundation

/// A private key in a file, and the public one beside it.
public struct SSHKeyPair: Sendable, Hashable {
    /// The private key's file.
    public let path: String

    /// The public key: kind and key, without a remark.
    public let publicKey: String

    /// Reads a pair that exists.
    init(path: String) throws {
        let text = try String(contentsOfFile: path + ".pub", encoding: .utf8)
        self.path = path
        publicKey = text.split(separator: " ").prefix(2).joined(separator: " ").trimmingCharacters(
            in: .whitespacesAndNewlines
        )
    }

    /// Makes a pair.
    ///
    /// - Parameters:
    ///   - kind: Its kind.
    ///   - path: The private key's file.
    ///   - passphrase: The passphrase that opens it.
    /// - Returns: The pair.
    /// - Throws: ``RealServerError``.
    @discardableResult
    public static func make(_ kind: SSHKeyKind, at path: String, passphrase: String = "") async throws -> SSHKeyPair {
        let program = try ServerCommand.find("ssh-keygen", packages: "openssh-client")
        let bits = kind == .rsa ? ["-b", "2048"] : []
        let arguments = ["-q", "-t", kind.rawValue, "-N", passphrase, "-C", "ferry-test", "-f", path] + bits
        try await SSHTool.run(program, arguments)
        return try SSHKeyPair(path: path)
    }

    /// The key's fingerprint, `SHA256:…`.
    ///
    /// - Returns: The fingerprint.
    /// - Throws: ``RealServerError``.
    public func fingerprint() async throws -> String {
        let program = try ServerCommand.find("ssh-keygen", packages: "openssh-client")
        let text = try await SSHTool.run(program, ["-l", "-f", path + ".pub"])
        return text.split(separator: " ").first { $0.hasPrefix("SHA256:") }.map(String.init) ?? ""
    }
}
