import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// A plan that is kept, or was.
struct PlanOptions: ParsableArguments {
    @Option(
        name: .customLong("plan"),
        help: ArgumentHelp("Write what would be done to a file, and do nothing.", valueName: "file")
    )
    var kept: String?

    @Option(name: .customLong("run-plan"), help: ArgumentHelp("Do what such a file says.", valueName: "file"))
    var run: String?

    func validate() throws {
        if kept != nil, run != nil { throw ValidationError("give one of --plan and --run-plan") }
    }

    /// A plan, and between what it was made.
    struct File: Codable {
        /// The source, in the person's words.
        var source: String
        /// The target, in the person's words.
        var target: String
        /// What is done.
        var plan: TransferPlan
    }

    /// Reads the plan to run.
    ///
    /// - Parameters:
    ///   - session: Opens the file.
    ///   - source: The source, in the person's words.
    ///   - target: The target, in the person's words.
    /// - Returns: The plan; `nil` if none is to be run.
    /// - Throws: Why it can't be read; `CocoaError` if it is another one's.
    func read(_ session: Session, source: String, target: String) async throws -> TransferPlan? {
        guard let run else { return nil }
        let place = try await session.storages.location(run)
        let data = try await place.storage.contents(path: place.path)
        let file: File
        do {
            file = try JSONDecoder().decode(File.self, from: data)
        } catch {
            throw CocoaError.location(run, "is no plan", "make one with --plan")
        }
        guard file.source == source, file.target == target else {
            let words = "is a plan from \(file.source) to \(file.target)"
            throw CocoaError.location(run, words, "name these")
        }
        return file.plan
    }

    /// Writes a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - session: Opens the file.
    ///   - source: The source, in the person's words.
    ///   - target: The target, in the person's words.
    /// - Throws: Why it can't be written.
    func write(_ plan: TransferPlan, _ session: Session, source: String, target: String) async throws {
        guard let kept else { return }
        let place = try await session.storages.location(kept)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(File(source: source, target: target, plan: plan))
        try await place.storage.writeContents(path: place.path, contents: data, overwrite: true)
    }
}
