public import FerryCore
import Foundation
import Synchronization

/// A provider on which things go wrong as planned, to try out what is built on providers.
///
/// It counts every call on the way, so that a test can tell how often something was retried.
public final class FaultInjectingFileProvider<Base: FileProviderBasic>: FileProviderWrapper {
    private struct State {
        var plan: FaultPlan
        /// How many calls each rule of the plan was about.
        var met: [Int]
        var calls: [FileProviderCall] = []
    }

    /// Those that read and copy past the streams that faults are planned for.
    public static var refusedAbilities: Set<String> {
        [
            "FileProviderWholeReading", "FileProviderBulkReading", "FileProviderListedReading",
            "FileProviderDirectPartCopying",
        ]
    }

    /// The provider that is made unreliable.
    public let base: Base

    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// Wraps a provider.
    ///
    /// - Parameters:
    ///   - base: The provider to make unreliable.
    ///   - plan: The plan of what goes wrong, and when.
    ///   - clock: The clock on which delays are waited for.
    public init(_ base: Base, plan: FaultPlan = FaultPlan(), clock: any Clock<Duration> = ContinuousClock()) {
        self.base = base
        self.clock = clock
        self.state = Mutex(State(plan: plan, met: plan.rules.map { _ in 0 }))
    }

    /// The plan of what goes wrong, and when; a new plan counts from the beginning.
    public var plan: FaultPlan {
        get { state.withLock { $0.plan } }
        set {
            state.withLock { state in
                state.plan = newValue
                state.met = newValue.rules.map { _ in 0 }
            }
        }
    }

    /// Every call so far, in order; pages of listings and searches are calls of their own, the end is one too.
    public var calls: [FileProviderCall] { state.withLock { $0.calls } }

    /// Returns the number of calls of a method.
    ///
    /// - Parameter method: The method.
    /// - Returns: Calls that failed are counted like others.
    public func count(of method: FileProviderCall.Method) -> Int {
        calls.count { $0.method == method }
    }

    /// Lets a call through, or not.
    ///
    /// - Parameters:
    ///   - call: The call.
    ///   - body: The call itself.
    /// - Returns: The value that the base returns.
    /// - Throws: The planned error, or what the base throws.
    public func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let faults = try await begin(call)
        if let cut = faults.cut { throw cut.error ?? URLError(.networkConnectionLost) }
        let result = try await body()
        try faults.end()
        return result
    }

    /// Counts a call, lets happen what happens before it, and tells what is to happen later.
    func begin(_ call: FileProviderCall) async throws -> LaterFaults {
        let struck = state.withLock { state -> [FaultPlan.Fault] in
            state.calls.append(call)
            var struck: [FaultPlan.Fault] = []
            for (index, rule) in state.plan.rules.enumerated() where rule.isAbout(call) {
                state.met[index] += 1
                let seed = state.plan.seed &+ UInt64(index) << 32
                if rule.occurrence.strikes(state.met[index], seed: seed) { struck.append(rule.fault) }
            }
            return struck
        }
        var later = LaterFaults()
        for fault in struck {
            switch fault {
            case .error(let error): throw error
            case .delay(let duration): try await clock.sleep(for: duration)
            case .meanwhile(let happens): await happens()
            case .lostAnswer(let error): later.lost = error
            case .cut(let bytes, let error): later.cut = Cut(bytes: bytes, error: error)
            }
        }
        return later
    }

    /// Returns whether the storage answers; a planned error of the line means that it doesn't.
    ///
    /// - Returns: The base's answer, unless something else was planned.
    /// - Throws: Planned errors that say more.
    public func isReachable() async throws -> Bool {
        do {
            return try await pass(FileProviderCall(.isReachable)) { try await base.isReachable() }
        } catch let error as URLError where RetryPolicy.isTransient(error) {
            return false
        }
    }

    /// Lists; each page is a call.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The pages.
    public func directoryListing(path: ItemPath) -> DirectoryListing {
        striking(base.directoryListing(path: path), as: FileProviderCall(.directoryListing, path: path))
    }

    /// Searches; each portion of the results is a call.
    ///
    /// - Parameters:
    ///   - path: The folder to search in.
    ///   - recursive: `true` to search the folders below as well.
    ///   - query: The query to match.
    /// - Returns: Items as they are found.
    public func searchFiles(path: ItemPath, recursive: Bool, query: FileQuery) -> SearchResults {
        let results = base.searchFiles(path: path, recursive: recursive, query: query)
        return SearchResults(pages: striking(results.pages, as: FileProviderCall(.searchFiles, path: path)))
    }

    private func striking(_ listing: DirectoryListing, as call: FileProviderCall) -> DirectoryListing {
        DirectoryListing { [self] in
            let pages = SharedIterator(listing)
            return {
                let faults = try await self.begin(call)
                let page = try await pages.next()
                try faults.end()
                return page
            }
        }
    }
}

/// Content that breaks off.
struct Cut: Sendable {
    let bytes: Int
    let error: (any Error)?
}

/// The faults that happen after a call has begun.
struct LaterFaults: Sendable {
    var cut: Cut?
    var lost: (any Error)?

    /// Loses the answer, if that is planned.
    func end() throws {
        if let lost { throw lost }
    }
}

extension FaultInjectingFileProvider: FileProviderBasicRemote where Base: FileProviderBasicRemote {}
extension FaultInjectingFileProvider: ConfigurableFileProvider where Base: ConfigurableFileProvider {}
extension FaultInjectingFileProvider: FileProviderOperations where Base: FileProviderOperations {}
extension FaultInjectingFileProvider: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension FaultInjectingFileProvider: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension FaultInjectingFileProvider: FileProviderConditionalReading where Base: FileProviderConditionalReading {}
extension FaultInjectingFileProvider: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension FaultInjectingFileProvider: FileProviderMonitor where Base: FileProviderMonitor {}
extension FaultInjectingFileProvider: FileProviderChangeTracking where Base: FileProviderChangeTracking {}
extension FaultInjectingFileProvider: FileProviderSharing where Base: FileProviderSharing {}
extension FaultInjectingFileProvider: FileProviderTrash where Base: FileProviderTrash {}
extension FaultInjectingFileProvider: FileProviderVersioning where Base: FileProviderVersioning {}
extension FaultInjectingFileProvider: FileProviderBulkWriting where Base: FileProviderBulkWriting {}
extension FaultInjectingFileProvider: FileProviderFolderWriting where Base: FileProviderFolderWriting {}
extension FaultInjectingFileProvider: FileProviderPartialWriting where Base: FileProviderPartialWriting {}
extension FaultInjectingFileProvider: FileProviderLearning where Base: FileProviderLearning {}

extension FaultInjectingFileProvider: FileProviderTreeListing where Base: FileProviderTreeListing {
    /// Lists a tree; each page is a call.
    ///
    /// - Parameter path: The folder.
    /// - Returns: The pages.
    public func treeListing(path: ItemPath) -> DirectoryListing? {
        base.treeListing(path: path).map { striking($0, as: FileProviderCall(.directoryListing, path: path)) }
    }
}

extension FaultInjectingFileProvider: FileProviderLocking where Base: FileProviderLocking {}
extension FaultInjectingFileProvider: ExtendedFileProvider where Base: ExtendedFileProvider {}
extension FaultInjectingFileProvider: FileProviderSettingAside where Base: FileProviderSettingAside {}
extension FaultInjectingFileProvider: FileProviderUndoable where Base: FileProviderUndoable {}
extension FaultInjectingFileProvider: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
extension FaultInjectingFileProvider: FileProviderBatchOperations where Base: FileProviderBatchOperations {}
extension FaultInjectingFileProvider: FileProviderDirectCopying where Base: FileProviderDirectCopying {}
extension FaultInjectingFileProvider: FileProviderChecksums where Base: FileProviderChecksums {}
extension FaultInjectingFileProvider: FileProviderBlockUpdating where Base: FileProviderBlockUpdating {}
extension FaultInjectingFileProvider: FileProviderTheming where Base: FileProviderTheming {}
extension FaultInjectingFileProvider: FileProviderServerDescribing where Base: FileProviderServerDescribing {}
extension FaultInjectingFileProvider: FileProviderLoginRevoking where Base: FileProviderLoginRevoking {}
extension FaultInjectingFileProvider: FileProviderNameFolding where Base: FileProviderNameFolding {}
