import ArgumentParser
import FerryCore
import Foundation

/// `ferry write`: a file from the standard input.
struct WriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write the standard input to a file.",
        discussion: """
            The file appears when the input has ended, complete; until then what was
            there stays as it is.

            EXAMPLES
              echo hello | ferry write greeting.txt
              pg_dump shop | gzip | ferry write --overwrite /backup/shop.sql.gz
            """
    )

    @Argument(help: .location("The file to write."), completion: .file())
    var location: String

    @OptionGroup var overwrite: OverwriteOption

    @OptionGroup var keepBoth: KeepBothOption

    @OptionGroup var lock: LockTokenOption

    func validate() throws {
        if keepBoth.isWanted, overwrite.isAllowed { throw ValidationError("--keep-both excludes --overwrite") }
    }

    func run() async throws {
        try await Session.run(recording: true) { session in
            session.isOverwriting = overwrite.isAllowed
            try await session.forEach([location]) { location in
                try await check(location)
                try await lock.use(on: [location])
                await session.changes(location)
                let operation = FileOperationType.create(path: location.path)
                if keepBoth.isWanted {
                    let item = try await ProgressBar.show(
                        operation,
                        title: location.text,
                        on: session.console
                    ) { progress in
                        try await location.storage.writeStream(
                            keepingBothAt: location.path,
                            contents: StandardInput(),
                            length: nil,
                            modifiedDate: nil,
                            reporting: progress
                        )
                    }
                    return session.tellName(of: item.path, wanted: location)
                }
                _ = try await ProgressBar.show(operation, title: location.text, on: session.console) { progress in
                    try await location.storage.writeStream(
                        path: location.path,
                        contents: StandardInput(),
                        length: nil,
                        options: WriteOptions(overwrite: overwrite.isAllowed),
                        reporting: progress
                    )
                }
            }
        }
    }

    /// Says what can't work before anything is read; the storage makes sure of it in the end.
    private func check(_ location: Location) async throws {
        if location.demandsFolder { throw CocoaError.isAFolderToWrite(location.path) }
        if keepBoth.isWanted { return }
        guard let item = try await location.attributesIfExists() else { return }
        if item.isDirectory { throw CocoaError.isAFolderToWrite(location.path) }
        // A link itself would be replaced; one to a folder is meant as the folder.
        if item.isSymbolicLink, let target = try? await location.following(), target.item.isDirectory {
            throw CocoaError.isAFolderToWrite(location.path)
        }
        if !overwrite.isAllowed { throw CocoaError.itemExists(location.path) }
    }
}

extension CocoaError {
    /// A folder stands where a file shall be written.
    static func isAFolderToWrite(_ path: ItemPath) -> CocoaError {
        .file(
            .fileWriteFileExists,
            path: path,
            description: "is a folder",
            suggestion: "name a file in it"
        )
    }
}
