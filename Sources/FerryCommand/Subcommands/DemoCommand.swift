import ArgumentParser
import FerryCore
import Foundation

/// `ferry demo`: a tour of a few seconds.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "See it all in a few seconds.",
        discussion: """
            Makes a sample tree in a temporary folder, copies it into memory, and to
            an Apache of its own, where it is broken off halfway and goes on; lists
            a folder there twice, the second time without asking; lists, searches,
            moves, watches, takes back what can be taken back, and draws a picture.
            It touches nothing else, and removes what it made. Without an Apache on
            this machine the steps with it are left out.
            """
    )

    func run() async throws {
        try await Session.run { session in
            let folder = try Self.makeTemporaryFolder()
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await DemoTour(session: session, folder: folder).run())
            } catch {
                outcome = .failure(error)
            }
            let storage = try await session.storages.location("/").storage
            try await uncancelled { try await storage.removeItem(path: folder) }
            try outcome.get()
        }
    }

    private static func makeTemporaryFolder() throws -> ItemPath {
        let variable = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        let parent = try LocalPaths.resolvingLinks(ItemPath(parsing: variable.isEmpty ? "/tmp" : variable))
        let bytes = NameEscape.bytes(ofName: parent.appending("ferry-demo-XXXXXX").string)
        var template = bytes.map { CChar(bitPattern: $0) } + [0]
        guard mkdtemp(&template) != nil else {
            throw CocoaError.file(.fileWriteUnknown, path: parent, description: "no temporary folder can be made there")
        }
        return try ItemPath(parsing: RawArguments.name(ofCString: template))
    }
}
