import FerryCore
import Synchronization

/// A rule being tried: the provider, a folder to do it in, and what was found.
final class Trial: Sendable {
    /// The provider that must keep the rule.
    let provider: any FileProviderBasic
    /// Writes what the rule needs, and looks at what has become of it.
    let fixtures: any FileProvider
    /// The folder in which all of it happens; empty at the start.
    let root: ItemPath
    let stage: ConformanceStage
    /// How long to wait for what must come.
    let timeout: Duration

    private let found = Mutex<[ConformanceFailure]>([])

    /// A trial on a stage, unless nothing can write there.
    init?(_ stage: ConformanceStage, timeout: Duration) {
        let own = stage.provider.capabilities.isReadOnly ? nil : stage.provider as? any FileProvider
        guard let fixtures = stage.fixtures ?? own else { return nil }
        self.provider = stage.provider
        self.fixtures = fixtures
        self.root = stage.root
        self.stage = stage
        self.timeout = timeout * 0.5
    }

    /// The failures found so far.
    var failures: [ConformanceFailure] { found.withLock { $0 } }

    /// Notes that something is not as the rule says.
    func fail(_ message: String, fileID: String? = nil, filePath: String = #filePath, line: Int = #line) {
        let fileID = fileID ?? "FerryTestKit/" + (filePath.split(separator: "/").last ?? "")
        let failure = ConformanceFailure(message: message, fileID: fileID, filePath: filePath, line: line)
        found.withLock { $0.append(failure) }
    }

    /// A rule must never touch what was there before it.
    func requireEmptyRoot() async throws {
        let names = try await fixtures.contentsOfDirectory(path: root).map(\.name)
        guard names.isEmpty else {
            fail("'\(root)' is not empty (\(names.prefix(3))): give the stage a folder of its own")
            throw TrialEnded()
        }
    }

    /// Brings a bad day about.
    func enter(_ situation: ConformanceSituation, at path: ItemPath? = nil) async throws {
        try await maker(situation)(path ?? root)
    }

    /// Ends the rule if the stage can't bring a bad day about, before much is planted for it.
    func require(_ situation: ConformanceSituation) throws { _ = try maker(situation) }

    private func maker(_ situation: ConformanceSituation) throws -> ConformanceSituationMaker {
        guard let make = stage.situations[situation] else {
            throw NotApplicable("the situation '\(situation.rawValue)', which this stage can't bring about")
        }
        return make
    }
}

/// Ends a rule that can't go on; what is wrong was noted.
struct TrialEnded: Error {}

/// Ends a rule that turns out to say nothing about this stage.
struct NotApplicable: Error {
    let words: String

    init(_ words: String) {
        self.words = "it takes \(words)"
    }
}

// MARK: - The provider's abilities

extension Trial {
    var files: any FileProvider { get throws { try ability() } }

    var reading: any FileProviderReadWrite { get throws { try ability() } }

    var operations: any FileProviderOperations { get throws { try ability() } }

    var streams: any FileProviderReadWriteProgressive { get throws { try ability() } }

    var links: any FileProviderSymbolicLink { get throws { try ability() } }

    var trash: any FileProviderTrash { get throws { try ability() } }

    var versioning: any FileProviderVersioning { get throws { try ability() } }

    var locking: any FileProviderLocking { get throws { try ability() } }

    var tracking: any FileProviderChangeTracking { get throws { try ability() } }

    var monitor: any FileProviderMonitor { get throws { try ability() } }

    var undoing: any FileProviderUndoable { get throws { try ability() } }

    var sharing: any FileProviderSharing { get throws { try ability() } }

    /// A rule that forgot to say what it needs is broken, not inapplicable.
    private func ability<Ability>(_ type: Ability.Type = Ability.self) throws -> Ability {
        guard let ability = provider as? Ability else {
            fail("the provider is no \(type)")
            throw TrialEnded()
        }
        return ability
    }
}
