import ArgumentParser
import FerryCache
import FerryCore
import Foundation

/// `ferry cache export`: what can be read offline, as files of this machine.
struct CacheExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the files that are kept of a remote to a folder.",
        discussion: """
            No remote is asked: the files are as they were when they were read last.
            Those of which parts are kept only are told, and nothing is replaced.

            EXAMPLES
              ferry cache export work:reports ~/rescued
              ferry cache export work: /media/stick/work
            """
    )

    @Argument(help: .location("What to write, with all below it."), completion: .file())
    var location: String

    @Argument(help: "The folder of this machine that takes it; it is made if it is missing.", completion: .directory)
    var folder: String

    func run() async throws {
        try await Session.run(.reading(.onlyIfCached), recording: true) { session in
            guard let source = try await session.locate(location), let target = try await session.locate(folder) else {
                return
            }
            try await session.attempt(source, target) {
                guard target.isLocal else {
                    throw CocoaError.location(folder, "is not on this machine", "name a local folder")
                }
                guard let kept = source.storage as? any CachedStorage else {
                    throw CocoaError.location(location, "nothing is kept of what is no remote", "name a remote")
                }
                let goal = try await target.folderOrNothing()
                try await session.hold(goal)
                let export = try await kept.exportOffline(source.path, to: goal.storage, at: goal.path)
                try tell(export, session, source, target)
            }
        }
    }

    private func tell(_ export: CacheExport, _ session: Session, _ source: Location, _ target: Location) throws {
        for failure in export.failures {
            let isPartial = (failure.error as? URLError)?.code == .resourceUnavailable
            let error =
                isPartial
                ? CocoaError.location(
                    source.display(failure.path),
                    "is kept in part only",
                    "read it with 'ferry cat' when the remote can be reached"
                ) : failure.error
            session.report(error, [source, target])
        }
        if export.files == 0, export.failures.isEmpty {
            throw CocoaError.location(location, "nothing is kept of what is in it", "read it first, with 'ferry cat'")
        }
        session.output.write("\(Quantity.count(export.files, "file")), \(Quantity.words(bytes: export.bytes))")
        try session.output.endLine()
    }
}
