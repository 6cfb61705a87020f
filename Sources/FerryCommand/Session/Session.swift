import ArgumentParser
import FerryCore
import FerryMedia
import Foundation
import Logging
import Synchronization

/// One run of the command: where it reads and writes, and whether something went wrong.
final class Session {
    /// All arguments of the command but its own name, as the history and the journal note them.
    let arguments: [String]

    /// The output that the person asked for.
    let output: ByteSink

    /// The console for messages to the person.
    let console: Console

    /// The storages that locations lead to.
    let storages: Storages

    /// The environment's variables that matter.
    let environment: [String: String]

    /// Colours for the output.
    let styling: Styling

    /// Indicates whether it was allowed to replace what exists; `nil` for a subcommand that can't.
    ///
    /// Errors give better advice then.
    var isOverwriting: Bool?

    /// The recorder of what is done; `nil` if it can't be undone later.
    let recorder: HistoryRecorder?

    /// Where what nobody need know is told.
    var providerLogger: Logger { storages.providerEnvironment.logger }

    private let failure = Milestone()

    /// The watch that notes what servers have not answered yet; `nil` if no person watches.
    private let waits: WaitWatch?

    /// The locations that have changed: nothing that is kept of them holds.
    private var changed: [Location] = []

    /// The journal of transfers, once somebody has wanted it; in it, `nil` if it can't be used.
    var journal: OpenedJobs?

    /// Indicates whether an error was reported.
    var hasFailed: Bool { failure.isReached }

    /// Makes a session of this process.
    ///
    /// - Parameters:
    ///   - cacheUse: The use that is made of the cache of remotes.
    ///   - recording: `true` if operations are written down, so that they can be undone.
    ///   - arguments: The arguments of the command: those of the process, unless it runs another command.
    ///   - media: The maker of thumbnails and reader of files' properties; `nil` if neither is wanted.
    init(
        _ cacheUse: CacheUse = .none,
        recording: Bool = false,
        arguments: [String] = RawArguments.ofProcess(),
        media: MediaGenerator? = nil
    ) {
        self.arguments = arguments
        environment = ProcessInfo.processInfo.environment
        output = ByteSink(descriptor: STDOUT_FILENO)
        console = Console(descriptor: STDERR_FILENO, environment: environment)
        let limits = HistoryLimits(environment: environment)
        recorder =
            recording && !limits.isOff
            ? HistoryRecorder(
                file: HistoryFile(path: UserFolders(environment: environment).history),
                arguments: arguments,
                limits: limits,
                console: console
            ) : nil
        waits = console.showsProgress ? WaitWatch() : nil
        storages = Storages(
            environment: environment,
            logger: ConsoleLog.logger(environment, console: console),
            cacheUse: cacheUse,
            recorder: recorder,
            media: media,
            waits: waits
        )
        styling = Styling(isTerminal: output.isTerminal, environment: environment)
    }

    /// Runs a subcommand: its output is complete when it ends, and its exit code tells how it went.
    ///
    /// - Parameters:
    ///   - cacheUse: The use that is made of the cache of remotes.
    ///   - recording: `true` if operations are written down, so that they can be undone.
    ///   - arguments: The arguments of the command: those of the process, unless it runs another command.
    ///   - media: The maker of thumbnails and reader of files' properties; `nil` if neither is wanted.
    ///   - body: The work of the subcommand.
    /// - Throws: `ExitCode.failure` when errors were reported; what ends the command as a whole.
    static func run(
        _ cacheUse: CacheUse = .none,
        recording: Bool = false,
        arguments: [String] = RawArguments.ofProcess(),
        media: MediaGenerator? = nil,
        _ body: (Session) async throws -> Void
    ) async throws {
        let session = Session(cacheUse, recording: recording, arguments: arguments, media: media)
        let notice = session.waits.map { WaitingNotice($0, on: session.console) }
        // Ends with the command.
        let waiting = notice.map { notice in Task { await notice.run() } }
        defer { waiting?.cancel() }
        do {
            try await body(session)
        } catch let error where !Self.isEnd(error) {
            // Output that is there already comes before the error that ended it.
            try session.output.flush()
            session.report(error)
        } catch {
            await session.recorder?.end(session)
            await session.leaveCache()
            throw error
        }
        try session.output.flush()
        await session.recorder?.end(session)
        await session.leaveCache()
        if session.hasFailed { throw ExitCode.failure }
    }

    /// Does one part of the work; an error is reported, and the other parts go on.
    ///
    /// - Parameters:
    ///   - locations: The locations that the work is about; errors name them in the person's words.
    ///   - body: The work.
    /// - Returns: The value that the work returns; `nil` after an error was reported.
    /// - Throws: The error that ends everything: cancellation, an output that nobody reads.
    @discardableResult
    func attempt<Value>(_ locations: Location..., body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch let error where Self.isEnd(error) {
            throw error
        } catch {
            try output.show()
            report(error, locations)
            return nil
        }
    }

    /// Does something with each location; what a person wrote wrongly does not keep the others from being done.
    ///
    /// - Parameters:
    ///   - texts: The texts that the person wrote.
    ///   - body: The work on one location.
    /// - Throws: As ``attempt(_:body:)``.
    func forEach(_ texts: some Collection<String>, _ body: (Location) async throws -> Void) async throws {
        for text in texts {
            guard let location = try await locate(text) else { continue }
            try await attempt(location) { try await body(location) }
        }
    }

    /// The location that a person means.
    ///
    /// - Parameter text: The text that the person wrote.
    /// - Returns: The location, or `nil` after the reason why there is none was reported.
    /// - Throws: The error that ends everything: a password was asked for, and Ctrl-C was the answer.
    func locate(_ text: String) async throws -> Location? {
        do {
            let location = try await storages.location(text)
            if recorder == nil { return location }
            // A location that is written down must lead to the same place later, and can then be held. Where the way
            // can't be followed, whatever is done there says why.
            return (try? location.withoutLinksAbove()) ?? location
        } catch let error where Self.isEnd(error) {
            throw error
        } catch {
            report(error)
            return nil
        }
    }

    /// Says that an item is about to change with all below it, so that nothing is kept of it that held before.
    ///
    /// It is forgotten at once, in case that this process is killed, and again at the end: somebody may have asked
    /// meanwhile.
    ///
    /// - Parameter location: The item.
    func changes(_ location: Location) async {
        changed.append(location)
        await storages.forget([location])
    }

    /// Forgets what is kept of what has changed, however far that came, and notes what of it was used.
    private func leaveCache() async {
        if !changed.isEmpty { await storages.forget(changed) }
        await storages.cache.flush()
    }

    /// Tells an error; the command will end with exit code 1.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - locations: The locations that the work was about.
    ///   - item: Which item below the locations, for errors that don't say it themselves.
    func report(_ error: any Error, _ locations: [Location] = [], item: ItemPath = .root) {
        _ = reporter(about: locations, item: item)(error)
    }

    /// Something that tells errors from any thread.
    ///
    /// - Parameters:
    ///   - locations: The locations that the work is about.
    ///   - item: Which item below the locations, for errors that don't say it themselves.
    /// - Returns: A closure that tells an error, and says whether to go on: always.
    func reporter(about locations: [Location], item: ItemPath = .root) -> @Sendable (any Error) -> Bool {
        { [console, failure, isOverwriting] error in
            failure.reach()
            console.tell(ErrorLine(error, about: locations, item: item, isOverwriting: isOverwriting).text)
            return true
        }
    }

    /// Returns whether an error ends the whole command instead of one part of its work.
    static func isEnd(_ error: any Error) -> Bool {
        error is CancellationError || error is ReaderGone || error is OutputFailure || error is ExitCode
            || error is ValidationError || (error as? CocoaError)?.code == .userCancelled
    }
}

extension Session {
    /// Reads a predicate; a malformed one is wrong usage, and shown with a caret below the place.
    ///
    /// - Parameter predicate: The text that the person wrote.
    /// - Returns: The query.
    /// - Throws: `ExitCode.validationFailure` after the mistake was reported.
    func query(_ predicate: String) throws -> FileQuery {
        do {
            return try FileQuery(parsing: predicate)
        } catch let error as CocoaError {
            report(error)
            if let diagram = error.queryDiagram {
                console.tell(diagram.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            }
            throw ExitCode.validationFailure
        }
    }
}
