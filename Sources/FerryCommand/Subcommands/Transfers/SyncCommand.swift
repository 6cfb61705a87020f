import ArgumentParser
import FerryCore
import FerryTransfer

/// `ferry sync`: makes one folder like another.
struct SyncCommand: ResumableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Make a folder like another one, on any storage.",
        usage: "ferry sync [-n] [options] <source> <target>",
        discussion: """
            Copies what the target lacks or has otherwise, and removes what only it has:
            once both sides were listed completely, and never more than --max-delete.
            Files are the same if checksum, or size and date, are the same on both sides.
            What fails does not stop the rest; it is told at the end, with exit code 1.
            The target is made if it is missing, but not the folders above it.

            With --json each line has an event: began, done, failed (and in a dry run
            planned), with path, action and reason; progress every second; summary.

            PATTERNS are those of a .gitignore: '*.tmp' in any folder, '/build/' at the
            top. The last one that fits decides; what an --include says comes last.

            EXAMPLES
              ferry sync -n ~/photos work:photos        say what would be done
              ferry sync ~/photos work:photos
              ferry sync work:docs docs --exclude '*.tmp' --exclude /private/
              ferry sync a b --backup-dir old --max-delete 10%
              ferry sync a b --where "name LIKE '*.jpg' AND fileSize < 5000000"
            """
    )

    @Argument(help: .location("The folder to copy.", called: "source"), completion: .directory)
    var source: String

    @Argument(help: .location("The folder that becomes like it.", called: "target"), completion: .directory)
    var target: String

    @OptionGroup var comparison: ComparisonOptions

    @OptionGroup var removal: RemovalOptions

    @OptionGroup var backup: BackupOption

    @OptionGroup var filter: FilterOptions

    @OptionGroup var work: WorkOptions

    @OptionGroup var plans: PlanOptions

    @OptionGroup var lock: LockTokenOption

    func validate() throws {
        try work.requireSense(with: comparison)
        if plans.run != nil, comparison.isGiven || filter.isGiven || removal.isGiven {
            throw ValidationError("--run-plan does what the plan says: give filters and the like with --plan")
        }
    }

    func run(arguments: [String]) async throws {
        try await Session.run(recording: true, arguments: arguments) { session in
            guard let named = try await session.locate(source), let goal = try await session.locate(target) else {
                return
            }
            try await session.attempt(named, goal) {
                let source = try await named.folder()
                let target = try await goal.folderOrNothing()
                try await lock.use(on: [target])
                if !work.dryRun { await session.changes(target) }
                var options = TransferOptions()
                options.mode = .sync
                comparison.apply(to: &options)
                removal.apply(to: &options)
                work.apply(to: &options)
                try await backup.apply(to: &options, target: target, session)
                options.filter = try await filter.filter(session)
                var transfer = TransferWork(session: session, source: source, target: target, options: options)
                transfer.isDryRun = work.dryRun
                transfer.isForPrograms = work.json
                transfer.tellsSummary = true
                transfer.plans = plans
                transfer.entry = try await work.entry(from: named, to: goal, session)
                _ = try await transfer.run()
            }
        }
    }
}
