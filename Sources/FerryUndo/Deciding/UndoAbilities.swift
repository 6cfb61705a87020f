public import FerryCore

/// The abilities of a storage that matter for undoing.
public struct UndoAbilities: Sendable, Hashable {
    /// Nothing can be changed, so nothing can be changed back.
    public var isReadOnly: Bool

    /// The ways to keep what would be lost, best first.
    public var ways: [UndoWay]

    /// Indicates whether a folder that went into the trash can be put back by any process.
    public var restoresTrashedFolders = true

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - ways: The ways to keep what would be lost, best first.
    ///   - isReadOnly: `true` if nothing can be changed.
    public init(ways: [UndoWay], isReadOnly: Bool = false) {
        self.ways = ways
        self.isReadOnly = isReadOnly
    }

    /// Finds out what a storage can do.
    ///
    /// - Parameters:
    ///   - provider: The storage.
    ///   - hasShadow: `true` if there is a place on this machine for copies.
    ///   - order: The ways that may be used, best first.
    public init(of provider: any FileProviderBasic, hasShadow: Bool, order: [UndoWay]) {
        let capabilities = provider.capabilities
        isReadOnly = capabilities.isReadOnly
        restoresTrashedFolders = capabilities.restoresTrashedFolders
        ways = Self.possibleWays(of: provider, hasShadow: hasShadow, order: order)
        if !(provider is any FileProviderSettingAside), !capabilities.copiesOnServer { ways.removeAll { $0 == .aside } }
        ways = Self.findable(ways, capabilities)
    }

    /// Returns the ways by which something is found again, by any process.
    static func findable(_ ways: [UndoWay], _ capabilities: FileProviderCapabilities) -> [UndoWay] {
        ways.filter { way in
            switch way {
            case .version: capabilities.identifiesVersions
            case .trash: capabilities.listsTrash
            case .aside, .shadow: true
            }
        }
    }

    /// The ways that a storage's type allows, whatever its server can do.
    static func possibleWays(of provider: any FileProviderBasic, hasShadow: Bool, order: [UndoWay]) -> [UndoWay] {
        order.filter { way in
            switch way {
            case .version: provider is any FileProviderVersioning
            case .trash: provider is any FileProviderTrash
            case .aside: provider is any FileProviderSettingAside || provider is any FileProviderOperations
            case .shadow: hasShadow && provider is any FileProviderReadWriteProgressive
            }
        }
    }
}
