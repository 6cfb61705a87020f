import FerryCore
import Foundation

/// The options of a remote that name files of this machine.
enum RemoteFileOptions {
    /// Makes the paths of files absolute: the remote is used from other folders, too.
    ///
    /// - Parameters:
    ///   - options: The options, as a person has written them.
    ///   - kind: The remote's kind.
    /// - Throws: `CocoaError` for a path that leads nowhere.
    static func makeAbsolute(_ options: inout [String: String], of kind: StorageKind) throws {
        for option in kind.options {
            guard let value = options[option.name], !value.isEmpty else { continue }
            switch option.value {
            case .file, .secretFile: options[option.name] = try absolute(value)
            case .files:
                options[option.name] = try value.split(separator: ",").map { try absolute(String($0)) }
                    .joined(separator: ",")
            case .program where value.contains("/"): options[option.name] = try absolute(value)
            case .program, .text, .flag, .number, .seconds, .choice, .url: continue
            }
        }
    }

    private static func absolute(_ file: String) throws -> String {
        let file = (file as NSString).expandingTildeInPath
        let path = try LocalPaths().absolutePath(file).string
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw CocoaError.location(file, "can't be read", "check the name and its permissions")
        }
        return path
    }

    /// Takes the secret out of the file that an option names.
    ///
    /// - Parameters:
    ///   - configuration: The configuration with the option, which it has no more afterwards.
    ///   - kind: The remote's kind.
    /// - Returns: The secret; `nil` if there is no such option.
    /// - Throws: `CocoaError` for a file that holds none.
    static func takeSecret(from configuration: inout ProviderConfiguration, of kind: StorageKind) throws -> String? {
        for option in kind.options {
            guard case .secretFile(let mark) = option.value,
                let file = configuration.options.removeValue(forKey: option.name)
            else { continue }
            let bytes = FileManager.default.contents(atPath: file) ?? Data()
            guard let text = String(validating: bytes, as: UTF8.self), text.contains(mark) else {
                throw CocoaError.location(
                    file,
                    "the secret that the option '\(option.name)' wants is not in it",
                    "name a file with '\(mark)' in it"
                )
            }
            return text
        }
        return nil
    }
}
