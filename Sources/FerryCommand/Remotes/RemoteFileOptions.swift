import FerryCore
import Foundation

/// The options of a remote that name files of this machine.
enum RemoteFileOptions {
    /// The option that names the file of a private key, which is kept with the passwords from then on.
    private static let key = "key-pem"

    /// Makes the paths of files absolute: the remote is used from other folders, too.
    ///
    /// - Parameters:
    ///   - options: The options, as a person has written them.
    ///   - kind: The remote's type.
    /// - Throws: `CocoaError` for a path that leads nowhere.
    static func makeAbsolute(_ options: inout [String: String], of kind: RemoteKind) throws {
        let names =
            switch kind {
            case .sftp: ["ssh-config", "known-hosts", "key-file", key]
            case .ftp: ["certificate-authority", "client-certificate", "client-key"]
            case .webdav, .nextcloud: [String]()
            }
        for name in names {
            guard let value = options[name], !value.isEmpty else { continue }
            options[name] = try value.split(separator: ",").map { try absolute(String($0)) }.joined(separator: ",")
        }
        if kind == .sftp, let program = options["ssh"], program.contains("/") { options["ssh"] = try absolute(program) }
    }

    private static func absolute(_ file: String) throws -> String {
        let file = (file as NSString).expandingTildeInPath
        let path = try LocalPaths().absolutePath(file).string
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CocoaError.location(file, "can't be read", "check the name and its permissions")
        }
        return path
    }

    /// Takes a private key out of its file.
    ///
    /// - Parameters:
    ///   - configuration: Whose option names the file; it has the option no more.
    ///   - kind: The remote's type.
    /// - Returns: The key; `nil` if there is no such option.
    /// - Throws: `CocoaError` for a file that holds none.
    static func takeKey(from configuration: inout ProviderConfiguration, of kind: RemoteKind) throws -> String? {
        guard kind == .sftp, let file = configuration.options.removeValue(forKey: key) else { return nil }
        let bytes = FileManager.default.contents(atPath: file) ?? Data()
        guard let text = String(validating: bytes, as: UTF8.self), text.contains("PRIVATE KEY-----") else {
            throw CocoaError.location(file, "there is no private key in it", "name the file that 'ssh-keygen' has made")
        }
        return text
    }
}
