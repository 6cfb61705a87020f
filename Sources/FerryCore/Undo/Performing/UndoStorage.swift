import Foundation

/// A storage as undoing sees it: what it can do, and where what it would lose is kept.
public struct UndoStorage: Sendable {
    /// The storage.
    let base: any FileProviderBasic & FileProviderOperations

    /// Copies on this machine.
    let shadow: ShadowStore?

    /// What the storage can do.
    public let abilities: UndoAbilities

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
        self.base = base
        self.shadow = shadow
        abilities = UndoAbilities(of: base, hasShadow: shadow != nil, order: ways)
    }

    // MARK: - Looking

    func look(_ path: ItemPath) async throws -> FileObject? {
        do {
            return try await base.attributesIfExists(path: path)
        } catch let error as CocoaError where error.code == .fileReadInvalidFileName {
            return nil  // what can't have such a name isn't there
        }
    }

    /// What an item is now, and of a folder all below it.
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

    /// Keeps an item that is about to be replaced; it stays where it is.
    ///
    /// - Parameters:
    ///   - item: A file or a link.
    ///   - ways: Which ways to try, in order.
    ///   - isWritten: Whether its content is written anew, of which alone versions are kept for sure.
    /// - Returns: Where it is kept, and what it was; for a version, which one is found only afterwards.
    /// - Throws: Why none of the ways works.
    func keepCopy(_ item: FileObject, ways: [UndoWay], isWritten: Bool) async throws -> (ItemStamp, Keeping) {
        var stamp = ItemStamp(item)
        if item.isSymbolicLink { return (stamp, .kept(.link(try await linkText(item.path)))) }
        var failure: any Error = UndoRefusal(item.path, .notKept)
        for way in ways {
            do {
                switch way {
                case .version:
                    // Of an empty file servers keep no version.
                    guard isWritten, item.size ?? 0 > 0, let versions = base as? any FileProviderVersioning else {
                        continue
                    }
                    return (stamp, .version(before: Set(try await versions.versions(of: item.path).map(\.id))))
                case .trash: continue
                case .aside: return (stamp, .kept(.aside(try await setAside(item.path, copying: true))))
                case .shadow:
                    stamp.extendedAttributes = try await extendedAttributes(item.path)
                    return (stamp, .kept(.shadow(try await copyToShadow(item))))
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// What is kept, or how it will be found.
    enum Keeping: Sendable {
        case kept(KeptItem)
        /// Which versions there were before.
        case version(before: Set<String>)
    }

    /// Finds what was kept, once the item was replaced.
    func found(_ keeping: Keeping, of former: ItemStamp, at path: ItemPath) async throws -> KeptItem? {
        switch keeping {
        case .kept(let item): return item
        case .version(let before):
            guard let versions = base as? any FileProviderVersioning else { return nil }
            let new = try await versions.versions(of: path).filter { !before.contains($0.id) }
            let same = new.first { version in
                (version.eTag != nil && version.eTag == former.eTag) || version.size == former.size
            }
            return same.map { .version($0) }
        }
    }

    /// Takes an item away so that it can come back.
    ///
    /// - Parameters:
    ///   - item: A file or a folder with all below it.
    ///   - ways: Which ways to try, in order.
    ///   - name: What it is called where it is set aside, as far as that is free to be chosen.
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
                    return .trash(try await trash.trashItem(path: item.path).id)
                case .aside: return .aside(try await setAside(item.path, copying: false, name: name))
                case .shadow: return nil
                }
            } catch let error as CancellationError {
                throw error
            } catch {
                // Maybe it is gone by now, and the answer was lost: then no other way can find it.
                if (try? await look(item.path)) == .some(.none) { throw error }
                failure = failure ?? error
            }
        }
        throw failure ?? UndoRefusal(item.path, .notKept)
    }

    func setAside(_ path: ItemPath, copying: Bool, name: String = UUID().uuidString) async throws -> String {
        if let own = base as? any FileProviderSettingAside {
            return try await own.setAside(path: path, name: name, copying: copying)
        }
        return try await ServerAside(base: base).setAside(path: path, name: name, copying: copying)
    }

    func copyToShadow(_ item: FileObject) async throws -> String {
        guard let shadow, let streams = base as? any FileProviderReadWriteProgressive else {
            throw UndoRefusal(item.path, .notKept)
        }
        let stream = try await streams.contentStream(path: item.path)
        return try await shadow.keep(stream, length: item.size)
    }

    func linkText(_ path: ItemPath) async throws -> String {
        guard let links = base as? any FileProviderSymbolicLink else {
            throw CocoaError.unsupported("symbolic links", path: path)
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
