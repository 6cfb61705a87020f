import FerryCore
import Foundation

/// Where the program `ferry-media` is.
struct HelperFinder: Sendable {
    /// The name of the program.
    static let name = "ferry-media"

    /// The variable that says where it is.
    static let variable = "FERRY_MEDIA_HELPER"

    /// The environment's variables.
    let environment: [String: String]

    /// The program that is running, without links; `nil` if not known.
    let executable: URL?

    /// Looks for it: where the variable says; beside the running program; in `../libexec/ferry`; in the search path.
    ///
    /// - Returns: The program.
    /// - Throws: `CocoaError.featureUnsupported`, which says how to get it.
    func find() throws -> String {
        if let path = environment[Self.variable], !path.isEmpty {
            guard isProgram(path) else { throw CocoaError.noMediaHelper("there is no program at \(path)") }
            return path
        }
        guard let found = places.first(where: isProgram) else {
            throw CocoaError.noMediaHelper("the program \(Self.name) was not found")
        }
        return found
    }

    private var places: [String] {
        var folders: [String] = []
        if let folder = executable?.deletingLastPathComponent() {
            folders = [folder.path, folder.deletingLastPathComponent().appending(path: "libexec/ferry").path]
        }
        // A relative path would mean another program in each folder.
        folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init).filter { $0.hasPrefix("/") }
        return folders.map { "\($0)/\(Self.name)" }
    }

    private func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        let manager = FileManager.default
        return manager.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && manager.isExecutableFile(atPath: path)
    }
}
