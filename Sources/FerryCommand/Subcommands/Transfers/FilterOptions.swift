import ArgumentParser
import FerryCore
import FerryTransfer
import Foundation

/// Which items a transfer is about.
struct FilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Leave out what fits, as in a .gitignore; may be given again.", valueName: "glob"))
    var exclude: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep what fits in spite of --exclude, or that alone; may be given again.",
            valueName: "glob"
        )
    )
    var include: [String] = []

    @Option(help: ArgumentHelp("Read lines of a .gitignore from a file; may be given again.", valueName: "file"))
    var filterFrom: [String] = []

    @Option(help: ArgumentHelp("Leave out smaller files: 500, 10K, 1.5M, 2G.", valueName: "size"))
    var minSize: ByteSize?

    @Option(help: ArgumentHelp("Leave out larger files.", valueName: "size"))
    var maxSize: ByteSize?

    @Option(help: ArgumentHelp("Leave out files younger than 90s, 2h, 7d, 4w, or a date.", valueName: "age"))
    var minAge: Moment?

    @Option(help: ArgumentHelp("Leave out older files.", valueName: "age"))
    var maxAge: Moment?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Only files that fulfil it; see 'find'.", valueName: "query")
    )
    var predicate: String?

    func validate() throws {
        for glob in exclude + include where GlobPattern(glob) == nil {
            throw ValidationError("'\(glob)' is no pattern, write it as '*.jpg' or '/folder/'")
        }
    }

    /// Indicates whether any of it was asked for.
    var isGiven: Bool {
        !exclude.isEmpty || !include.isEmpty || !filterFrom.isEmpty || minSize != nil || maxSize != nil
            || minAge != nil || maxAge != nil || predicate != nil
    }

    /// Reads it.
    ///
    /// - Parameter session: Reads the files of `--filter-from`, and tells what is wrong.
    /// - Returns: The filter.
    /// - Throws: `ExitCode.validationFailure` after a wrong query was shown; why a file can't be read.
    func filter(_ session: Session) async throws -> TransferFilter {
        var lines: [GlobPattern] = []
        for name in filterFrom {
            let place = try await session.storages.location(name)
            let text = try await place.naming { try await place.storage.contents(path: place.path) }
            lines += TransferFilter.patterns(in: String(decoding: text, as: UTF8.self))
        }
        let now = Date()
        return TransferFilter(
            patterns: Self.patterns(from: lines, exclude: exclude, include: include),
            minimumSize: minSize?.bytes,
            maximumSize: maxSize?.bytes,
            changedSince: maxAge?.date(before: now),
            changedBefore: minAge?.date(before: now),
            query: try predicate.map { try session.query($0) }
        )
    }

    /// All patterns in the order in which they count: the files' lines, what is left out, what is taken back.
    ///
    /// - Parameters:
    ///   - lines: The lines of files.
    ///   - exclude: The globs of items to leave out.
    ///   - include: The globs of items to take back; alone they leave out everything else, but no folder.
    /// - Returns: The patterns, the last of which that fits decides.
    static func patterns(from lines: [GlobPattern], exclude: [String], include: [String]) -> [GlobPattern] {
        let isAlone = lines.isEmpty && exclude.isEmpty && !include.isEmpty
        let rest = isAlone ? ["*", "!*/"] : []
        let taken = include.flatMap { glob -> [String] in
            // A folder that is taken back is so with what is in it.
            let name = glob.hasSuffix("/") ? String(glob.dropLast()) : glob
            return ["!" + glob, "!" + (name.contains("/") ? name : "**/" + name) + "/**"]
        }
        return lines + (exclude + rest + taken).compactMap { GlobPattern($0) }
    }
}
