#if os(Linux) || os(macOS)
import FerryCore
import FerryProcess
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
            guard ChildProgram.isProgram(path) else { throw CocoaError.noMediaHelper("there is no program at \(path)") }
            return path
        }
        guard
            let found = nearby.first(where: ChildProgram.isProgram)
                ?? ChildProgram.find(Self.name, searchPath: environment["PATH"] ?? "")
        else {
            throw CocoaError.noMediaHelper("the program \(Self.name) was not found")
        }
        return found
    }

    /// The paths that belong to the running program.
    private var nearby: [String] {
        guard let folder = executable?.deletingLastPathComponent() else { return [] }
        let library = folder.deletingLastPathComponent().appending(path: "libexec/ferry")
        return [folder, library].map { "\($0.path)/\(Self.name)" }
    }
}
#endif
