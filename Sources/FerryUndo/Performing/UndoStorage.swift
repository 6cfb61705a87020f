public import FerryCore
import Foundation

/// A storage as undoing sees it: what it can do, and where what it would lose is kept.
public struct UndoStorage: Sendable {
    /// The storage.
    let base: any FileProviderBasic & FileProviderOperations

    /// Copies on this machine.
    let shadow: ShadowStore?

    /// Repeats what the storage refuses for the moment.
    package let retries: UndoRetries

    /// The ways that may be used, best first.
    private let ways: [UndoWay]

    /// Indicates whether the hidden folder at the storage's top is there.
    private let asideFolder = ServerAside.Milestone()

    /// The storage's abilities, as far as they are known: of a server, little before it was asked.
    public var abilities: UndoAbilities {
        let capabilities = base.capabilities
        var ways = ways
        if asideNeedsCopies, !capabilities.copiesOnServer { ways.removeAll { $0 == .aside } }
        ways = UndoAbilities.findable(ways, capabilities)
        var abilities = UndoAbilities(ways: ways, isReadOnly: capabilities.isReadOnly)
        abilities.restoresTrashedFolders = capabilities.restoresTrashedFolders
        return abilities
    }

    /// Indicates whether setting aside means copying and moving on the server, which it may not be able to.
    private let asideNeedsCopies: Bool

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - base: The storage itself, not one that records.
    ///   - shadow: Where copies on this machine are kept, if they may be.
    ///   - ways: The ways that may be used, best first.
    public init(
        _ base: any FileProviderBasic & FileProviderOperations,
        shadow: ShadowStore?,
        ways: [UndoWay] = UndoWay.allCases
    ) {
        self.init(base, shadow: shadow, ways: ways, retries: UndoRetries())
    }

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - base: The storage itself, not one that records.
    ///   - shadow: Where copies on this machine are kept, if they may be.
    ///   - ways: The ways that may be used, best first.
    ///   - retries: Repeats what the storage refuses for the moment.
    package init(
        _ base: any FileProviderBasic & FileProviderOperations,
        shadow: ShadowStore?,
        ways: [UndoWay] = UndoWay.allCases,
        retries: UndoRetries
    ) {
        self.base = base
        self.retries = retries
        self.shadow = shadow
        asideNeedsCopies = !(base is any FileProviderSettingAside)
        self.ways = UndoAbilities.possibleWays(of: base, hasShadow: shadow != nil, order: ways)
    }

    /// Asks a server what it can do, if nobody has: only then it is known how what would be lost can be kept.
    func learn() async throws {
        guard asideNeedsCopies, ways.contains(.aside), !base.capabilities.copiesOnServer else { return }
        try await base.learnIfNeeded()
    }

    /// Indicates whether what is removed goes into the trash by itself.
    var trashesRemovedItems: Bool { (base as? any FileProviderTrash)?.trashesRemovedItems ?? false }

    /// Indicates whether each question is a request over a line.
    var isFar: Bool { base.isRemote }

    /// Indicates whether it is such a storage, and keeps versions, or can set aside by itself: then what was seen a
    /// moment ago is known well enough.
    var hasFarVersions: Bool { isFar && (abilities.ways.contains(.version) || abilities.ways.contains(.aside)) }

    // MARK: - Looking

    func look(_ path: ItemPath) async throws -> FileObject? {
        do {
            return try await base.attributesIfExists(path: path)
        } catch let error as CocoaError where error.code == .fileReadInvalidFileName {
            return nil  // what can't have such a name isn't there
        }
    }

    /// Returns whether an item is still what was noted, with the same content.
    ///
    /// A file that has just changed has no version yet on some servers: it is not the one whose version was noted.
    ///
    /// - Parameters:
    ///   - item: The item as it is now.
    ///   - stamp: The state that was noted.
    /// - Returns: `false` if anything differs that is known of both.
    /// - Throws: An error if the storage can't be examined.
    func isUnchanged(_ item: FileObject, since stamp: ItemStamp) async throws -> Bool {
        guard item.isFresh, stamp.eTag != nil else { return stamp.matches(item) }
        let now = try await base.withProvenVersion(item)
        return now.eTag != nil && stamp.matches(now)
    }

    /// Returns what an item is now, and of a folder all below it.
    func stamp(_ item: FileObject) async throws -> ItemStamp {
        ItemStamp(item, tree: item.isDirectory ? try await .below(item.path, on: base) : nil)
    }

    /// Where writing to a path writes: what the links there lead to in the end.
    func following(_ path: ItemPath) async throws -> ItemPath {
        guard let links = base as? any FileProviderSymbolicLink else { return path }
        var place = path
        for _ in 0..<40 {
            guard let item = try await look(place), item.isSymbolicLink else { break }
            let text = try await links.destination(ofSymbolicLink: place)
            let start = text.utf8.first == UInt8(ascii: "/") ? "" : place.parent.string + "/"
            guard let next = ItemPath(start + text) else { return path }
            place = next
        }
        return place
    }

    // MARK: - Keeping

    /// The content that is about to replace a file.
    struct Replacement: Sendable {
        /// Indicates whether the content is written anew, of which alone versions are kept for sure.
        var isWritten = false
        /// The date it will have; `nil` for the time of its writing.
        var date: Date?
        /// When somebody may have changed the file without being seen.
        var unseen: DateInterval?
    }

    /// Keeps an item that is about to be replaced; it stays where it is.
    ///
    /// - Parameters:
    ///   - item: A file or a link.
    ///   - ways: Which ways to try, in order.
    ///   - replacement: The content that is about to replace it.
    ///   - name: The name of the copy, as far as it is free to be chosen; a UUID.
    /// - Returns: The item as it was, and where it is kept, or will be.
    /// - Throws: Why none of the ways works.
    func keepCopy(
        _ item: FileObject,
        ways: [UndoWay],
        _ replacement: Replacement,
        name: String? = nil
    ) async throws -> (ItemStamp, KeptItem) {
        var stamp = ItemStamp(item)
        if item.isSymbolicLink { return (stamp, .link(try await linkText(item.path))) }
        // Of an empty file servers keep no version, and there is nothing to keep.
        if item.size == 0, !(base is any FileProviderSettingAside), base is any FileProviderReadWriteProgressive,
            replacement.unseen == nil
        {
            return (stamp, .emptyFile)
        }
        var failure: any Error = UndoRefusal(item.path, .notKept)
        for way in ways {
            do {
                switch way {
                case .version:
                    guard replacement.isWritten, keepsVersion(item, replacedBy: replacement.date, now: Date()) else {
                        continue
                    }
                    return (stamp, .soughtVersion(SoughtVersion(unseen: replacement.unseen)))
                case .trash: continue
                case .aside: return (stamp, .aside(try await setAside(item.path, copying: true, name: name)))
                case .shadow:
                    stamp.extendedAttributes = try await extendedAttributes(item.path)
                    return (stamp, .shadow(try await copyToShadow(item, name: name)))
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                if UndoRetries.isPassing(error) { throw error }
                failure = error
            }
        }
        throw failure
    }

    /// Takes an item away so that it can come back.
    ///
    /// - Parameters:
    ///   - item: A file or a folder with all below it.
    ///   - ways: Which ways to try, in order.
    ///   - name: The item's name where it is set aside, as far as it is free to be chosen.
    /// - Returns: Where it is kept; `nil` where it would have to be copied to this machine first.
    /// - Throws: Why none of the ways works; then it is where it was.
    func takeAway(_ item: FileObject, ways: [UndoWay], name: String) async throws -> KeptItem? {
        var failure: (any Error)?
        for way in ways {
            do {
                switch way {
                case .version: continue
                case .trash:
                    guard let trash = base as? any FileProviderTrash else { continue }
                    if trash.trashesRemovedItems {
                        let start = Date()
                        try await base.removeItem(path: item.path)
                        return .soughtTrash(DateInterval(start: start, end: max(start, Date())))
                    }
                    return .trash(try await trash.trashItem(path: item.path).id)
                case .aside: return .aside(try await setAside(item.path, copying: false, name: name))
                case .shadow: return nil
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                if UndoRetries.isPassing(error) { throw error }
                // Maybe it is gone by now, and the answer was lost: then no other way can find it.
                if (try? await look(item.path)) == .some(.none) { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? UndoRefusal(item.path, .notKept)
    }

    func setAside(_ path: ItemPath, copying: Bool, name: String? = nil) async throws -> String {
        let name = name ?? ServerAside.name(now: Date())
        if let own = base as? any FileProviderSettingAside {
            return try await own.setAside(path: path, name: name, copying: copying)
        }
        return try await serverAside.setAside(path: path, name: name, copying: copying)
    }

    /// The hidden folder at the storage's top.
    var serverAside: ServerAside { ServerAside(base: base, folder: asideFolder) }

    func copyToShadow(_ item: FileObject, name: String? = nil) async throws -> String {
        guard let shadow, let streams = base as? any FileProviderReadWriteProgressive else {
            throw UndoRefusal(item.path, .notKept)
        }
        let stream = try await streams.contentStream(path: item.path)
        return try await shadow.keep(stream, length: item.size, tag: name.flatMap(Self.tag))
    }

    /// The end of a UUID, by which a copy on this machine is found again.
    static func tag(of name: String) -> String? {
        guard let id = UUID(uuidString: name) else { return nil }
        return id.uuidString.lowercased().split(separator: "-").suffix(2).joined()
    }

    func linkText(_ path: ItemPath) async throws -> String {
        guard let links = base as? any FileProviderSymbolicLink else {
            throw CocoaError.unsupported("symbolic links", path: path, isPlural: true)
        }
        return try await links.destination(ofSymbolicLink: path)
    }

    func extendedAttributes(_ path: ItemPath) async throws -> [String: Data]? {
        guard let attributes = base as? any FileProviderItemAttributes,
            attributes.settableAttributes.contains(.extendedAttributes)
        else { return nil }
        return try await attributes.extendedAttributes(path: path)
    }
}
