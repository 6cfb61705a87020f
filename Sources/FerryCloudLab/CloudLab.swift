public import Foundation

/// Emulated cloud services on a port of 127.0.0.1, in this process and without a network: a place to test an app that
/// has no account.
///
/// ```swift
/// let lab = try await CloudLab.start()
/// let token = lab.dropbox.makeAccessToken()
/// try lab.dropbox.account.storage.write(Data("hello".utf8), to: "/greeting.txt")
/// // … an app whose base URLs are lab.dropbox.apiURL and so on, with that token …
/// #expect(lab.journal.exchanges(route: "files/download").count == 1)
/// await lab.stop()
/// ```
///
/// The services refuse what the real ones refuse, show misbehaviours on demand (``faults``), and read a clock that the
/// test moves (``clock``).
public final class CloudLab: Sendable {
    /// The choices that hold for the life of a lab.
    public struct Options: Sendable {
        /// The port; 0 lets the kernel choose.
        public var port = 0
        /// The clock; by default one that stands still until it is moved.
        public var clock = LabClock()
        /// The settings of the emulated Dropbox.
        public var dropbox = DropboxSettings()
        /// The settings of the emulated Microsoft Graph.
        public var graph = GraphSettings()
        /// The number of bytes that fit into the first account of each service; `nil` for no limit.
        public var quota: Int64? = 2 << 30
        /// A delay before each answer, by the system's clock.
        public var latency: Duration = .zero
        /// The folder with the vendors' descriptions that each exchange is held against (``CloudDescriptions``); `nil`
        /// for no check.
        public var descriptions: URL?
        /// The deliberate mistake, by which the judges of the lab are measured.
        package var mutant: CloudMutant?

        /// Makes the default choices.
        public init() {}
    }

    /// The base URL of the server, which ends in `/`; each service lies below it under a name of its own.
    public let url: URL
    /// The clock that all services read.
    public let clock: LabClock
    /// The record of all exchanges.
    public let journal: Journal
    /// The misbehaviours that are still to be shown.
    public let faults: FaultPlan
    /// The emulated Dropbox.
    public let dropbox: DropboxLab
    /// The emulated Microsoft Graph, with OneDrive and SharePoint.
    public let graph: GraphLab

    let dispatcher: LabDispatcher
    private let checker: ExchangeChecker?
    private let server: LabServer
    /// The second port, so that pre-authorised addresses lie at an origin of their own.
    private let contentServer: LabServer

    private init(
        url: URL,
        server: LabServer,
        contentServer: LabServer,
        dispatcher: LabDispatcher,
        checker: ExchangeChecker?,
        dropbox: DropboxLab,
        graph: GraphLab,
        journal: Journal,
        faults: FaultPlan
    ) {
        self.url = url
        self.server = server
        self.contentServer = contentServer
        self.dispatcher = dispatcher
        self.checker = checker
        self.dropbox = dropbox
        self.graph = graph
        self.journal = journal
        self.faults = faults
        clock = dropbox.clock
    }

    /// The port on 127.0.0.1.
    public var port: Int { server.port }

    /// Starts a lab.
    ///
    /// - Parameter options: The choices.
    /// - Returns: The lab, listening.
    /// - Throws: An error of the system if the port can't be had; ``DescriptionError`` if a description can't be read.
    public static func start(_ options: Options = Options()) async throws -> CloudLab {
        let (journal, faults) = (Journal(), FaultPlan())
        let checker = try options.descriptions.map { ExchangeChecker(try ExchangeChecker.checks(folder: $0)) }
        let server = try await LabServer.start(port: options.port)
        let contentServer: LabServer
        do {
            contentServer = try await LabServer.start(port: 0)
        } catch {
            await server.stop()
            throw error
        }
        func url(_ server: LabServer) -> URL { URL(string: "http://127.0.0.1:\(server.port)/") ?? URL(filePath: "/") }
        let dropbox = DropboxLab(
            base: url(server),
            clock: options.clock,
            settings: options.dropbox,
            quota: options.quota
        )
        let graph = GraphLab(
            base: url(server),
            contentBase: url(contentServer),
            clock: options.clock,
            faults: faults,
            settings: options.graph,
            quota: options.quota
        )
        let dispatcher = LabDispatcher(
            services: [dropbox, graph],
            clock: options.clock,
            journal: journal,
            faults: faults,
            latency: options.latency,
            mutant: options.mutant,
            checker: checker
        )
        server.serve(dispatcher)
        contentServer.serve(dispatcher)
        return CloudLab(
            url: url(server),
            server: server,
            contentServer: contentServer,
            dispatcher: dispatcher,
            checker: checker,
            dropbox: dropbox,
            graph: graph,
            journal: journal,
            faults: faults
        )
    }

    /// The differences between the exchanges so far and the vendors' descriptions, each once; empty without a check.
    public var findings: [CloudFinding] { checker?.findings ?? [] }

    /// The number of exchanges that were held against the vendors' descriptions.
    public var checkedExchangeCount: Int { checker?.count ?? 0 }

    /// Sets a function that gets each difference when it is found.
    ///
    /// - Parameter observer: The function; it must return quickly. `nil` removes it.
    public func observeFindings(_ observer: (@Sendable (CloudFinding) -> Void)?) { checker?.observe(observer) }

    /// Stops listening, and closes all connections; returns when that is done.
    public func stop() async {
        await server.stop()
        await contentServer.stop()
    }
}

/// Starts a lab for as long as a test needs it.
///
/// - Parameters:
///   - options: The choices.
///   - body: The use of the lab.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`, or one of the system if the port can't be had.
public func withCloudLab<Result>(
    _ options: CloudLab.Options = CloudLab.Options(),
    perform body: (CloudLab) async throws -> Result
) async throws -> Result {
    let lab = try await CloudLab.start(options)
    do {
        let result = try await body(lab)
        await lab.stop()
        return result
    } catch {
        await lab.stop()
        throw error
    }
}
