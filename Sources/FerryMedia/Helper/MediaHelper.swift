#if os(Linux) || os(macOS)
public import FerryCore
import FerryMediaWire
import Foundation

/// The program `ferry-media`, which decodes what strangers made, so that no process of ours can die of it.
///
/// It is started when it is needed, a few times where there is much to do, and ended when nobody has needed it for a while;
/// it ends with this process, too. It opens no files: it asks for the bytes that it needs, and gets them through
/// ``MediaSource``.
///
/// It is looked for where `FERRY_MEDIA_HELPER` says, beside the running program, in `../libexec/ferry`, and in `PATH`.
public final class MediaHelper: MediaEngine {
    /// The settings for the use of the programs.
    public struct Settings: Sendable, Hashable {
        /// The path of the program; `nil` to look for it.
        public var program: String?

        /// The number of programs that may run at the same time, at least 1.
        public var limit: Int

        /// The time that a file may take, without the time that reading it takes.
        ///
        /// On Linux this is processor time, and twelve times as long by the clock at most; a program that does nothing is
        /// ended sooner. Elsewhere it is time by the clock.
        public var timeLimit: Duration

        /// The time for which a program that has nothing to do is kept.
        public var idleTime: Duration

        /// Makes settings.
        ///
        /// - Parameters:
        ///   - program: Where the program is; `nil` to look for it.
        ///   - limit: How many may run at the same time; by default one for each processor.
        ///   - timeLimit: How long a file may take.
        ///   - idleTime: How long a program is kept that has nothing to do.
        public init(
            program: String? = nil,
            limit: Int? = nil,
            timeLimit: Duration = .seconds(5),
            idleTime: Duration = .seconds(10)
        ) {
            self.program = program
            self.limit = max(1, limit ?? ProcessInfo.processInfo.activeProcessorCount)
            self.timeLimit = timeLimit
            self.idleTime = idleTime
        }
    }

    /// The settings for the use of the programs.
    public let settings: Settings

    let pool: HelperPool
    private let finder: HelperFinder

    /// How long a program has to start: on a machine that has much to do, its libraries take a while.
    private static let startLimit = Duration.seconds(60)

    /// Makes an engine; no program is started before it is needed.
    ///
    /// - Parameter settings: How the programs are used.
    public convenience init(settings: Settings = Settings()) {
        let executable = Bundle.main.executableURL?.resolvingSymlinksInPath()
        self.init(settings: settings, environment: ProcessInfo.processInfo.environment, executable: executable)
    }

    init(settings: Settings, environment: [String: String], executable: URL?) {
        self.settings = settings
        var found = environment
        found[HelperFinder.variable] = settings.program ?? environment[HelperFinder.variable]
        let finder = HelperFinder(environment: found, executable: executable)
        self.finder = finder
        let variables = environment.filter { Self.passedVariables.contains($0.key) }
        pool = HelperPool(limit: settings.limit, idleTime: settings.idleTime) {
            try await HelperProgram.start(finder.find(), variables, within: Self.startLimit)
        }
    }

    /// The variables of this process's environment that the program needs: no secrets.
    private static let passedVariables: Set<String> = [
        "PATH", "HOME", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
    ]

    /// Indicates whether the program is where it is looked for.
    public var isAvailable: Bool {
        (try? finder.find()) != nil
    }

    /// Ends programs that have nothing to do, now instead of after a while.
    public func endIdle() {
        pool.endIdle()
    }

    // MARK: - MediaEngine

    /// Makes a thumbnail.
    ///
    /// - Parameters:
    ///   - source: The file, of which only what is needed is read.
    ///   - options: How it is to be made; without a size, within 256 × 256 pixels.
    /// - Returns: The picture.
    /// - Throws: `CocoaError.featureUnsupported` for a kind of file that has none, and without the program;
    ///   `.fileReadCorruptFile` for a damaged file, `.fileReadTooLarge` for one that takes too much memory or time; what
    ///   reading throws.
    public func thumbnail(of source: MediaSource, options: ThumbnailOptions) async throws -> Thumbnail {
        let result = try await perform(source, words: "a thumbnail of this file") { size in
            .thumbnail(ThumbnailJob(options, of: source.item, size: size))
        }
        guard case .thumbnail(let made) = result, !made.data.isEmpty, made.width > 0, made.height > 0 else {
            throw MediaFailure.confused("it answered what was not asked").error(about: source.item.path)
        }
        return Thumbnail(
            data: Data(made.data),
            contentType: made.format.contentType,
            width: made.width,
            height: made.height
        )
    }

    /// Reads what a file says about itself.
    ///
    /// - Parameter source: The file, of which only what is needed is read.
    /// - Returns: Its properties; none if it says nothing.
    /// - Throws: As ``thumbnail(of:options:)``.
    public func properties(of source: MediaSource) async throws -> FileProperties {
        let result = try await perform(source, words: "the properties of this file") { size in
            .properties(PropertiesJob(extensionHint: source.item.mediaExtension, size: size))
        }
        guard case .properties(let entries) = result else {
            throw MediaFailure.confused("it answered what was not asked").error(about: source.item.path)
        }
        return FileProperties(entries: entries)
    }

    private func perform(
        _ source: MediaSource,
        words: String,
        _ job: @Sendable (Int64) -> MediaJob
    ) async throws -> MediaResult {
        let path = source.item.path
        do {
            for _ in 0..<settings.limit {
                do {
                    return try await once(source, words, job)
                } catch HelperProgram.Failure.gone {
                    // Somebody else ended it while it had nothing to do; the next one too, perhaps.
                }
            }
            return try await once(source, words, job)
        } catch let failure as HelperProgram.Failure {
            throw MediaFailure(failure).error(about: path)
        } catch let error as POSIXError {
            throw CocoaError.noMediaHelper("it can't be started", underlying: error)
        }
    }

    private func once(
        _ source: MediaSource,
        _ words: String,
        _ job: @Sendable (Int64) -> MediaJob
    ) async throws -> MediaResult {
        let path = source.item.path
        let answer = try await pool.withProgram { program in
            let reader: SourceReader
            do {
                reader = try await SourceReader(source)
            } catch {
                return HelperProgram.Answer.unread(error)  // the program has not been asked for anything
            }
            return try await program.perform(job(reader.size), reader, within: settings.timeLimit)
        }
        switch answer {
        case .done(let result): return result
        case .refused(let reason, let words): throw MediaFailure.refused(reason, words).error(about: path)
        case .unread(let error): throw error
        }
    }
}
#endif
