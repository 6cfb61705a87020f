#if DEBUG
import FerryCore
import Foundation

@testable import FerryCache

/// The values and contents that a victim keeps: each follows from its account, its path and its version.
///
/// The last folder and the one before are two names of one folder, which is moved back and forth.
enum VictimBytes {
    static let accounts = ["one", "two"].map { CacheAccount(type: "Test", user: $0, baseURL: "http://h") }
    static let folders = (0..<4).map { ItemPath.root.appending("folder \($0)") }
    static let names = Array(folders.suffix(2))
    static let files = folders.flatMap { folder in (0..<6).map { folder.appending("file \($0)") } }
    static let versions = 2

    /// Where an item is by the first name of its folder.
    private static func home(_ path: ItemPath) -> ItemPath { path.replacing(names[1], with: names[0]) }

    /// Bytes of a content: some have one piece, some three.
    static func length(_ path: ItemPath, _ version: Int) -> Int64 {
        let mixed = home(path).string.utf8.reduce(version + 7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }
        return Int64(mixed % 4 == 0 ? 600_000 + mixed : 1 + mixed % 30_000)
    }

    /// Some bytes of it.
    static func bytes(_ path: ItemPath, _ version: Int, _ account: CacheAccount, _ range: Range<Int64>) -> [UInt8] {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in "\(account.user)#\(home(path).string)#\(version)".utf8 {
            state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let first = range.lowerBound / 8
        var words: [UInt64] = []
        words.reserveCapacity(range.count / 8 + 2)
        for word in first...(range.upperBound / 8) {
            words.append((state &+ UInt64(bitPattern: word)) &* 0x9E37_79B9_7F4A_7C15)
        }
        return words.withUnsafeBytes { Array($0[Int(range.lowerBound - first * 8)...].prefix(range.count)) }
    }

    /// A value that is kept of an item.
    static func value(_ path: ItemPath, _ version: Int, _ account: CacheAccount) -> Data {
        Data(bytes(path, version, account, 0..<200))
    }

    /// The items of a folder.
    static func items(_ folder: ItemPath, _ version: Int, _ account: CacheAccount) -> [FileObject] {
        let count = version == 0 ? 40 : 1500
        return (0..<count).map { number in
            FileObject(
                name: "\(account.user) \(number)",
                in: folder,
                type: .file,
                eTag: "\(version)/\(number) \(home(folder))"
            )
        }
    }
}
#endif
