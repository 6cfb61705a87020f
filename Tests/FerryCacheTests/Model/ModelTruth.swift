import FerryCore
import FerryMemory
import Foundation
import Synchronization

/// The present and all earlier states of the storage.
final class ModelTruth: Sendable {
    private struct State {
        var step = 0
        var anchor: ChangeAnchor?
        var paths: [ItemPath] = []
        var folders = [ItemPath.root]
        var items: [ItemPath: Held<String>] = [:]
        var listings: [ItemPath: Held<String>] = [:]
        var contents: [ItemPath: Held<ModelContent?>] = [:]
        var volume = Held<Int64>(0)
        var contentOfTag: [String: ModelContent] = [:]
    }

    /// The signature of an item that is not there.
    static let absent = "-"

    let storage: MemoryFileProvider
    private let sign: @Sendable (FileObject) -> String
    private let state = Mutex(State())

    /// Begins with an empty storage.
    ///
    /// - Parameters:
    ///   - storage: The storage.
    ///   - sign: Returns the text that tells one state of an item from another, as the cache's base shows it.
    init(_ storage: MemoryFileProvider, sign: @escaping @Sendable (FileObject) -> String) {
        self.storage = storage
        self.sign = sign
    }

    /// The present step.
    var step: Int { state.withLock { $0.step } }

    /// The items of now.
    var paths: [ItemPath] { state.withLock { $0.paths } }

    /// The folders of now, and the root.
    var folders: [ItemPath] { state.withLock { $0.folders } }

    /// An item as a text.
    func signature(_ item: FileObject) -> String { "\(item.path) \(item.type) \(sign(item))" }

    /// A folder's items as a text.
    func signature(_ items: [FileObject]) -> String { items.map(signature).sorted().joined(separator: "|") }

    /// Looks at all of the storage, after something may have changed.
    func record() async throws {
        let anchor = try await storage.currentAnchor()
        guard state.withLock({ $0.anchor }) != anchor else { return }
        var items: [ItemPath: String] = [:]
        var listings: [ItemPath: String] = [:]
        var contents: [ItemPath: ModelContent] = [:]
        var open = [ItemPath.root]
        while let folder = open.popLast() {
            let listed = try await storage.contentsOfDirectory(path: folder)
            listings[folder] = signature(listed)
            for item in listed {
                items[item.path] = signature(item)
                if item.isDirectory { open.append(item.path) } else { contents[item.path] = try await content(item) }
            }
        }
        let used = try await storage.storageProperties().usedCapacity ?? 0
        state.withLock { state in
            state.step += 1
            state.anchor = anchor
            state.paths = items.keys.sorted()
            state.folders = listings.keys.sorted()
            for path in Set(state.items.keys).union(items.keys) {
                state.items[path, default: Held(Self.absent)].set(items[path] ?? Self.absent, at: state.step)
                state.contents[path, default: Held(nil)].set(contents[path], at: state.step)
            }
            for path in Set(state.listings.keys).union(listings.keys) {
                state.listings[path, default: Held(Self.absent)].set(listings[path] ?? Self.absent, at: state.step)
            }
            state.volume.set(used, at: state.step)
        }
    }

    private func content(_ item: FileObject) async throws -> ModelContent {
        let tag = item.eTag ?? ""
        if let known = state.withLock({ $0.contentOfTag[tag] }) { return known }
        let data = try await storage.contents(path: item.path)
        let content = ModelContent(number: ModelContent.number(of: data) ?? 0, length: data.count)
        state.withLock { $0.contentOfTag[tag] = content }
        return content
    }

    /// A folder or file has moved, and what is known of it with it.
    ///
    /// - Parameters:
    ///   - source: Where it was.
    ///   - target: Where it is.
    ///   - floor: The step since which an answer about an item, or its listing, must have been right before.
    func inherit(_ source: ItemPath, _ target: ItemPath, floor: (ItemPath, _ listing: Bool) -> Int) {
        let moved = { @Sendable (text: String) in Self.moved(text, source, target) }
        state.withLock { state in
            let step = state.step
            for (path, held) in state.contents where path == source || path.isBelow(source) {
                state.contents[path.replacing(source, with: target), default: Held(nil)]
                    .inherit(held, since: floor(path, false), at: step)
            }
            for (path, held) in state.items where path.isBelow(source) {
                state.items[path.replacing(source, with: target), default: Held(Self.absent)]
                    .inherit(held, since: floor(path, false), at: step, moved: moved)
            }
            for (path, held) in state.listings where path == source || path.isBelow(source) {
                state.listings[path.replacing(source, with: target), default: Held(Self.absent)]
                    .inherit(held, since: floor(path, true), at: step, moved: moved)
            }
        }
    }

    /// The signature that items have elsewhere.
    private static func moved(_ text: String, _ source: ItemPath, _ target: ItemPath) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).map { item in
            item.hasPrefix(source.string + "/") ? target.string + item.dropFirst(source.string.count) : String(item)
        }.sorted().joined(separator: "|")
    }

    // MARK: Questions

    func wasItem(_ item: FileObject, at path: ItemPath, since step: Int) -> Bool {
        let signature = signature(item)
        return state.withLock { $0.items[path]?.was(signature, since: step) ?? false }
    }

    func wasListing(_ items: [FileObject], of path: ItemPath, since step: Int) -> Bool {
        let signature = signature(items)
        return state.withLock { $0.listings[path]?.was(signature, since: step) ?? false }
    }

    func wasAbsent(_ path: ItemPath, since step: Int) -> Bool {
        state.withLock { $0.items[path]?.was(Self.absent, since: step) ?? true }
    }

    func wasUsed(_ bytes: Int64, since step: Int) -> Bool { state.withLock { $0.volume.was(bytes, since: step) } }

    /// Returns whether these bytes were in the file at some time since a step.
    func wasContent(_ data: Data, _ range: ByteRange, at path: ItemPath, since step: Int) -> Bool {
        let all = state.withLock { $0.contents[path]?.all(since: step) ?? [] }
        return all.contains { content in
            guard let content else { return false }
            let wanted = range.resolved(size: Int64(content.length))
            return wanted.count == data.count
                && content.bytes(Int(wanted.lowerBound)..<Int(wanted.upperBound)) == data
        }
    }
}
