public import FerryCore
import FerryHTTP
import Foundation
import HTTPTypes

extension WebDAVProvider {
    /// Makes a folder.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - parent: The folder that will hold it.
    ///   - creatingParents: `true` to make `parent` and what is missing above it.
    /// - Throws: `CocoaError.fileWriteFileExists` if anything has that name; `.fileNoSuchFile` without a parent.
    public func create(folder name: String, at parent: ItemPath, creatingParents: Bool) async throws {
        let path = parent.appending(name)
        let traits = try await connection.traits()
        if name.isEmpty {
            throw CocoaError.file(.fileWriteInvalidFileName, path: parent, description: "the name is empty")
        }
        if creatingParents, path.isRoot { return }
        try traits.requireName(of: path)
        if creatingParents {
            try await requireFolder(path, traits)
        } else {
            try await makeFolder(path, traits)
        }
    }

    /// Makes a folder that must not be there yet.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - traits: The behaviour of the server.
    ///   - name: The name that errors speak of, if that is another.
    /// - Throws: See ``FileProviderOperations``.
    package func makeFolder(_ path: ItemPath, _ traits: WebDAVTraits, for name: ItemPath? = nil) async throws {
        if !traits.refusesExistingFolders {
            guard case .missing = try await state(of: path) else { throw CocoaError.itemExists(path) }
        }
        let reply: HTTPReply
        do {
            reply = try await change(.create(path: path), isFolder: true)
        } catch let error as URLError where error.code == .networkConnectionLost {
            // Nothing is there: so it was not done, and can be done once more.
            guard case .missing = try await state(of: path) else { throw error }
            reply = try await change(.create(path: path), isFolder: true)
        }
        let name = name ?? path
        guard let failure = try await connection.failure(in: reply, path: name, under: path) else { return }
        throw await refusal(failure, at: name, condition: .absence)
    }

    /// Makes a folder and those above it, as far as they are not there yet.
    private func requireFolder(_ path: ItemPath, _ traits: WebDAVTraits, isTop: Bool = true) async throws {
        switch try await state(of: path) {
        case .folder: return
        case .file: throw isTop ? CocoaError.itemExists(path) : .notAFolder(path, whileWriting: true)
        case .unknown(let error): throw error
        case .missing: break
        }
        if !path.parent.isRoot { try await requireFolder(path.parent, traits, isTop: false) }
        do {
            try await makeFolder(path, traits)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            // Somebody else was first.
            guard case .folder = try await state(of: path) else { throw error }
        }
    }
}
