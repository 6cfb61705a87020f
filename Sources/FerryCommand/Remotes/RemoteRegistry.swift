import FerryCore
import Foundation

/// The remotes that a person has made: `remotes.toml` in the folder of ferry's configuration.
struct RemoteRegistry: Sendable {
    private let file: PrivateFile

    /// The file's path.
    var path: String { file.path }

    /// Begins; nothing is read yet.
    ///
    /// - Parameter folders: Where a person's programs keep their things.
    init(folders: UserFolders) {
        file = PrivateFile(path: folders.configuration + "/remotes.toml")
    }

    /// A remote.
    ///
    /// - Parameter name: Its name.
    /// - Returns: The remote, or `nil` if there is none of that name.
    /// - Throws: `CocoaError` that names the file.
    func remote(named name: String) async throws -> Remote? {
        try await reading { try $0.remote(named: name) }
    }

    /// A remote that must exist.
    ///
    /// - Parameter name: Its name, as a person wrote it: a colon at the end is left out.
    /// - Returns: The remote.
    /// - Throws: `CocoaError` that says what to do.
    func existing(_ name: String) async throws -> Remote {
        let name = name.hasSuffix(":") ? String(name.dropLast()) : name
        guard let remote = try await remote(named: name) else { throw CocoaError.unknownRemote(name) }
        return remote
    }

    /// All remotes, by name; one that is broken is an error in its place.
    ///
    /// - Returns: Remotes and errors, sorted by name.
    /// - Throws: `CocoaError` when the file can't be read at all.
    func all() async throws -> [Result<Remote, any Error>] {
        try await reading { file in
            file.names.compactMap { name in
                do {
                    return try file.remote(named: name).map { .success($0) }
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// Changes the file, as a whole or not at all.
    ///
    /// - Parameter change: The change; it throws to leave the file as it is.
    /// - Returns: The value that the change returns.
    /// - Throws: Any error that the change throws; `CocoaError` that names the file.
    func update<Value: Sendable>(_ change: @escaping @Sendable (RemotesFile) throws -> Value) async throws -> Value {
        try await BlockingWork.run { [file] in
            try file.exclusively {
                let remotes = try Self.read(file)
                let value = try change(remotes)
                try file.replace(with: Data(remotes.text.utf8))
                return value
            }
        }
    }

    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (RemotesFile) throws -> Value
    ) async throws -> Value {
        try await BlockingWork.run { [file] in try body(try Self.read(file)) }
    }

    private static func read(_ file: PrivateFile) throws -> RemotesFile {
        guard let bytes = try file.read() else { return try RemotesFile("", path: file.path) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CocoaError.location(file.path, "not UTF-8", "correct it, or move it away")
        }
        return try RemotesFile(text, path: file.path)
    }
}
