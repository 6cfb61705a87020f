import FerryCore
import Foundation
import Synchronization

/// The spellings of paths that were used, where several lead to one item.
///
/// Answers are kept by exact spelling: none ever shows what another has led to. When something changes, all spellings
/// of its path are forgotten that this process has used.
final class Spellings: Sendable {
    private struct Used {
        var spellings: [String: Set<ItemPath>] = [:]
        var count = 0
        var isFull = false
    }

    /// Spellings that are remembered.
    private static let most = 4_000

    private let used = Mutex(Used())
    /// Indicates whether `a` and `A` are one name: else a path of ASCII has one spelling only.
    private let foldsCase: Bool

    /// Makes an empty table.
    ///
    /// - Parameter capabilities: The capabilities, which say what names the storage distinguishes; `nil` is the result
    ///   if it distinguishes all.
    init?(_ capabilities: FileProviderCapabilities) {
        if capabilities.isCaseSensitive && capabilities.distinguishesNormalizationForms { return nil }
        foldsCase = !capabilities.isCaseSensitive
    }

    /// Notes a spelling.
    ///
    /// - Parameter path: A path that something is kept of.
    func note(_ path: ItemPath) {
        if !foldsCase, path.string.utf8.allSatisfy({ $0 < 0x80 }) { return }
        let folded = Self.folded(path)
        used.withLock { used in
            guard !used.isFull, used.spellings[folded, default: []].insert(path).inserted else { return }
            used.count += 1
            guard used.count > Self.most else { return }
            used = Used(isFull: true)
        }
    }

    /// Adds the other spellings of what has changed.
    ///
    /// - Parameter effects: The changes of the storage.
    /// - Returns: The same, for every spelling.
    func all(of effects: [CacheEffect]) -> [CacheEffect] {
        used.withLock { used in
            if used.isFull { return [.everything] }
            return effects.flatMap { effect -> [CacheEffect] in
                switch effect {
                case .item(let path):
                    [effect] + spellings(ofAllIn: path, used).map { .item($0) } + asListed(path, used)
                case .appearance(let path):
                    [effect] + (used.spellings[Self.folded(path)] ?? []).map { .appearance($0) } + asListed(path, used)
                case .room, .everything: [effect]
                }
            }
        }
    }

    /// The item and what is below it.
    private func spellings(ofAllIn path: ItemPath, _ used: Used) -> [ItemPath] {
        let folded = Self.folded(path)
        let start = path.isRoot ? folded : folded + "/"
        return used.spellings.filter { $0.key == folded || $0.key.hasPrefix(start) }.flatMap(\.value)
    }

    /// The item in its folder, by all spellings of that.
    private func asListed(_ path: ItemPath, _ used: Used) -> [CacheEffect] {
        guard !path.beginsWithIdentifier, !path.isRoot else { return [] }
        let folders = used.spellings[Self.folded(path.parent)] ?? []
        return folders.map { .appearance($0.appending(component: path.lastComponent)) }
    }

    private static func folded(_ path: ItemPath) -> String {
        path.string.decomposedStringWithCompatibilityMapping.lowercased()
    }
}
