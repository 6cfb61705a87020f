public import FerryCore
import Foundation

/// A provider, and an empty folder of its own, on which one rule is tried.
public struct ConformanceStage: Sendable {
    /// The provider that must keep the rule.
    public var provider: any FileProviderBasic

    /// The provider that writes and looks at the rule's own files: the same storage, under the same paths.
    ///
    /// Without it the provider itself is used, which then must be a `FileProvider` that is not read-only.
    public var fixtures: (any FileProvider)?

    /// A second client of the same storage, under the same paths, which knows nothing of the first: for the rules about
    /// what one client does to another.
    public var another: (any FileProvider)?

    /// An empty folder in which the rule may do as it likes.
    public var root: ItemPath

    /// Bad days that this stage can bring about.
    public var situations: [ConformanceSituation: ConformanceSituationMaker]

    /// Indicates whether nobody else's items are in the trash, so that emptying it can be tried.
    public var ownsTrash: Bool

    /// Returns the credentials that a server of somebody else has received, a line each; empty where all is well.
    ///
    /// Without it ``ConformanceSituation/redirected`` can't be tried.
    public var credentialsElsewhere: (@Sendable () -> [String])?

    /// Takes everything away again, after the rule.
    public var cleanUp: @Sendable () async throws -> Void

    /// Makes a stage.
    ///
    /// - Parameters:
    ///   - provider: The provider that must keep the rule.
    ///   - fixtures: The provider that writes the rule's own files, where the tested one can't.
    ///   - root: An empty folder in which the rule may do as it likes.
    ///   - situations: Bad days that this stage can bring about.
    ///   - ownsTrash: `true` if nobody else's items are in the trash.
    ///   - cleanUp: Takes everything away again.
    public init(
        _ provider: any FileProviderBasic,
        fixtures: (any FileProvider)? = nil,
        root: ItemPath = .root,
        situations: [ConformanceSituation: ConformanceSituationMaker] = [:],
        ownsTrash: Bool = false,
        cleanUp: @escaping @Sendable () async throws -> Void = {}
    ) {
        self.provider = provider
        self.fixtures = fixtures
        self.root = root
        self.situations = situations
        self.ownsTrash = ownsTrash
        self.cleanUp = cleanUp
    }

    /// Makes a stage in a new folder of a storage that holds other things too, and removes that folder afterwards.
    ///
    /// - Parameters:
    ///   - provider: The provider that must keep the rule.
    ///   - fixtures: The provider that writes on the same storage, where the tested one can't.
    ///   - folder: An existing folder; a new one with a random name is made in it.
    ///   - situations: Bad days that this stage can bring about.
    /// - Returns: The stage.
    /// - Throws: Any error that making the folder throws; `CocoaError.featureUnsupported` if nothing can write there.
    public static func folder(
        of provider: any FileProviderBasic,
        fixtures: (any FileProvider)? = nil,
        in folder: ItemPath,
        situations: [ConformanceSituation: ConformanceSituationMaker] = [:]
    ) async throws -> ConformanceStage {
        guard let writer = fixtures ?? provider as? any FileProvider else {
            throw CocoaError.unsupported("writing", path: folder)
        }
        let name = "ferry-check-\(UUID().uuidString.lowercased())"
        try await writer.create(folder: name, at: folder)
        let root = folder.appending(name)
        return ConformanceStage(provider, fixtures: fixtures, root: root, situations: situations) {
            try await writer.removeItem(path: root)
        }
    }
}
