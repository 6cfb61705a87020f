// `stat` belongs to whichever of these is loaded first.
import CDispatch
import CoreFoundation
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import FerryCache

/// A folder for a store, which is removed at the end.
struct StoreFolder: Sendable {
    let path: String

    static func with<Result>(_ body: (StoreFolder) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appending(path: "ferry-cache-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let folder = StoreFolder(path: url.path(percentEncoded: false))
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(folder)) } catch { result = .failure(error) }
        try? FileManager.default.removeItem(at: url)
        return try result.get()
    }

    /// Another process, as far as the store can tell, on a machine that is never short of memory.
    func store(
        _ limits: CacheLimits = CacheLimits(),
        trace: (@Sendable (String) -> Void)? = nil
    ) -> CacheStore {
        CacheStore(at: path, limits: limits, pressure: MemoryPressure { false }, trace: trace)
    }

    var index: String { path + "/v\(IndexSchema.version)/index.sqlite" }

    /// The content files, by their paths.
    var files: [String] {
        let folder = path + "/v\(IndexSchema.version)/files"
        return (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? [])
            .map { folder + "/" + $0 }
            .filter {
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
            }
    }

    /// Bytes that the disk gives to the content files.
    var allocated: Int64 {
        files.reduce(0) { sum, path in
            var status = stat()
            return stat(path, &status) == 0 ? sum + Int64(status.st_blocks) * 512 : sum
        }
    }
}

extension CacheAccount {
    static let test = CacheAccount(type: "Test", user: "u", baseURL: "http://h")
}

extension CacheVersion {
    /// A version that is beyond doubt.
    init(_ number: Int) { self.init(eTag: "\(number)") }
}

/// Bytes that depend on a name, a version and their offset, so that wrong ones show.
func bytes(_ name: String, _ version: Int, _ range: Range<Int64>) -> [UInt8] {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in "\(name)#\(version)".utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
    // A word at a time, and with operators that need no generic code.
    let first = range.lowerBound / 8
    var words = [UInt64](repeating: 0, count: Int((range.upperBound + 7) / 8 - first))
    words.withUnsafeMutableBufferPointer { words in
        var index = 0
        while index < words.count {
            var mixed = (state &+ UInt64(bitPattern: first &+ Int64(index))) &* 0x9E37_79B9_7F4A_7C15
            mixed ^= mixed &>> 29
            words[index] = mixed.littleEndian
            index &+= 1
        }
    }
    let start = Int(range.lowerBound - first * 8)
    return words.withUnsafeBytes { Array($0[start..<start + range.count]) }
}
