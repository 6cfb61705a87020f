public import FerryCore
import Foundation

/// The contents of a folder, in a few numbers: equal as long as no item came, went or changed.
public struct TreeStamp: Sendable, Hashable, Codable {
    /// Items below.
    public private(set) var count = 0
    /// Bytes of all files, as far as they are known.
    public private(set) var bytes: Int64 = 0
    /// The sum of the items' own numbers, which needs no order.
    private var sum: UInt64 = 0

    /// Begins with an empty folder.
    public init() {}

    /// Adds an item.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - top: The folder.
    public mutating func add(_ item: FileObject, below top: ItemPath) {
        count += 1
        if item.isRegularFile { bytes += item.size ?? 0 }
        let path = item.path.relative(to: top)?.string ?? item.path.string
        var hash = Self.hash(path.utf8, 0xCBF2_9CE4_8422_2325)
        hash = Self.hash(CollectionOfOne(item.type.rawValue), hash)
        if !item.isDirectory {
            let date = item.modifiedDate.map { Int64(($0.timeIntervalSinceReferenceDate * 1_000).rounded()) } ?? 0
            for number in [item.size ?? -1, date] {
                withUnsafeBytes(of: number.littleEndian) { hash = Self.hash($0, hash) }
            }
        }
        sum &+= hash
    }

    /// Fowler, Noll and Vo's hash (FNV-1a, 64 bits).
    private static func hash(_ bytes: some Sequence<UInt8>, _ start: UInt64) -> UInt64 {
        bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// Looks at all that is below a folder.
    ///
    /// - Parameters:
    ///   - path: The folder.
    ///   - provider: Where it is.
    ///   - isLeftOut: Returns `true` if an item is left out, with all that is below it.
    /// - Returns: The state of its contents.
    /// - Throws: The error that keeps a folder from being listed.
    static func below(
        _ path: ItemPath,
        on provider: any FileProviderBasic,
        but isLeftOut: ((ItemPath) -> Bool)? = nil
    ) async throws -> TreeStamp {
        var stamp = TreeStamp()
        for try await element in TreeWalk(provider, path: path) {
            switch element {
            case .page(let items, folder: let folder):
                if let isLeftOut {
                    let above = sequence(first: folder) { $0.isRoot ? nil : $0.parent }.prefix { $0.isBelow(path) }
                    if above.contains(where: isLeftOut) { continue }
                    for item in items where !isLeftOut(item.path) { stamp.add(item, below: path) }
                } else {
                    for item in items { stamp.add(item, below: path) }
                }
            case .failure(let error, folder: _): throw error
            }
        }
        return stamp
    }
}
