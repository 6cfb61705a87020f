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
        /// The source: its storage and its whole path.
        var source: String
        /// The target, likewise.
        var target: String
        /// The plan.
        var plan: TransferPlan
    }

    /// Reads the plan to run.
    ///
    /// - Parameters:
    ///   - session: Opens the file.
    ///   - source: The source.
    ///   - target: The target.
    /// - Returns: The plan; `nil` if none is to be run.
    /// - Throws: Why it can't be read; `CocoaError` if it is another one's.
    func read(_ session: Session, from source: Location, to target: Location) async throws -> TransferPlan? {
        guard let run else { return nil }
        guard let file = try await Self.file(at: try await session.storages.location(run)) else {
            throw CocoaError.location(run, "is no plan", "make one with --plan")
        }
        guard file.source == source.place, file.target == target.place else {
            let words = "is a plan from \(file.source) to \(file.target)"
            throw CocoaError.location(run, words, "name these")
        }
        return file.plan
    }

    /// Writes a plan; what is there is replaced only if it is a plan, too.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - session: Opens the file.
    ///   - source: The source.
    ///   - target: The target.
    /// - Throws: Why it can't be written.
    func write(_ plan: TransferPlan, _ session: Session, from source: Location, to target: Location) async throws {
        guard let kept else { return }
        let place = try await session.storages.location(kept)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(File(source: source.place, target: target.place, plan: plan))
        let isFile = try await place.attributesIfExists()?.isRegularFile == true
        let isPlan = isFile ? try await Self.file(at: place) != nil : false
        try await place.naming {
            try await place.storage.writeContents(path: place.path, contents: data, overwrite: isPlan)
        }
    }

    /// Returns what is kept in a file; `nil` if that is no plan.
    private static func file(at place: Location) async throws -> File? {
        let data = try await place.naming { try await place.storage.contents(path: place.path) }
        return try? JSONDecoder().decode(File.self, from: data)
    }
}

extension Location {
    /// Which item it is, whatever folder the command is given in.
    fileprivate var place: String { prefix + path.string }
}

/// The rule by which two files are the same.
struct ComparisonOptions: ParsableArguments {
    @Flag(help: "Compare checksums, or contents on this machine; else copy.")
    var checksum = false

    @Flag(help: "Compare sizes only.")
    var sizeOnly = false

    @Flag(help: "Compare nothing: copy every file.")
    var ignoreTimes = false

    @Flag(name: .shortAndLong, help: "Leave files alone that are newer at the target.")
    var update = false

    func validate() throws {
        if [checksum, sizeOnly, ignoreTimes].count(where: { $0 }) > 1 {
            throw ValidationError("give one of --checksum, --size-only and --ignore-times")
        }
    }

    /// Indicates whether any of it was asked for.
    var isGiven: Bool { rule != nil || update }

    /// The rule that was asked for; `nil` if none was.
    var rule: ComparisonRule? {
        checksum ? .checksum : sizeOnly ? .size : ignoreTimes ? .nothing : nil
    }

    /// Puts it into a transfer's options.
    func apply(to options: inout TransferOptions) {
        if let rule { options.comparison = rule }
        options.keepsNewer = update
    }
}

/// The options of a sync about items that it would remove.
struct RemovalOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Remove at most 20, or 10%, of the target (default: 50%).", valueName: "limit"))
    var maxDelete: RemovalLimit?

    @Flag(help: "Move what the source only renamed, and copy it not.")
    var trackRenames = false

    /// Indicates whether any of it was asked for.
    var isGiven: Bool { maxDelete != nil || trackRenames }

    /// Puts it into a transfer's options.
    func apply(to options: inout TransferOptions) {
        if let count = maxDelete?.count { options.largestRemovalCount = count }
        if let part = maxDelete?.part { options.largestRemoval = part }
        options.tracksRenames = trackRenames
    }
}
