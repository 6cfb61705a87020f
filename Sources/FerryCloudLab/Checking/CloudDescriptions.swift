public import Foundation

/// The vendors' published descriptions of their APIs, which a lab can hold each exchange against.
///
/// The descriptions are files of the vendors and no part of this package. The folder has one subfolder for each
/// service: `dropbox` with the files of Dropbox's API specification (`*.stone`), and `microsoft-graph` with Microsoft's
/// OpenAPI document (`drives-openapi.json`) and its metadata document (`drive-subset.csdl.xml`).
public enum CloudDescriptions {
    /// Returns the folder with the descriptions.
    ///
    /// - Parameters:
    ///   - environment: The environment; `FERRY_SPECS` names the folder.
    ///   - directory: The directory in which `../shared/specs` is looked for if the environment names no folder.
    /// - Returns: The folder; `nil` if there is none.
    public static func folder(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        beside directory: URL = .currentDirectory()
    ) -> URL? {
        let named = environment["FERRY_SPECS"].flatMap { $0.isEmpty ? nil : URL(filePath: $0) }
        let folder = named ?? directory.appending(path: "../shared/specs").standardizedFileURL
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(
            atPath: folder.path(percentEncoded: false),
            isDirectory: &isDirectory
        )
        return exists && isDirectory.boolValue ? folder : nil
    }
}

/// An error that describes a published description that can't be read.
public struct DescriptionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the file.
    public var file: String
    /// The line, from 1; 0 if the error concerns no line.
    public var line: Int
    /// The problem, as a sentence.
    public var sentence: String

    /// The error in words.
    public var description: String { line > 0 ? "\(file):\(line): \(sentence)" : "\(file): \(sentence)" }
}
