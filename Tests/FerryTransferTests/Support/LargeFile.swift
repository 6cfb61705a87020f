import FerryCore
import FerryTestKit
import FerryTransfer
import Foundation

/// Bytes of which no two stretches are alike.
func noise(_ count: Int, seed: UInt64 = 1) -> Data { .seeded(count, seed: seed) }

/// A folder of this machine that is gone when nobody holds it any more.
final class ScratchFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appending(path: "ferry-transfer-\(UUID().uuidString)", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The names of all that is in a folder, hidden ones included.
    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path).sorted()
    }
}

extension TransferOptions {
    /// Copies everything in parts of 64 KiB.
    static var inParts: TransferOptions {
        var options = TransferOptions()
        options.partedSize = 1
        options.partSize = 64 << 10
        return options
    }
}
