import FerryCore
import FerryMemory
import Foundation
import NIOCore

@testable import FerryTransfer

/// A storage at the other end of a line that tells checksums.
struct WithChecksums<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base

    var baseURL: URL? { URL(string: "https://example.com/") }

    var capabilities: FileProviderCapabilities {
        var capabilities = base.capabilities
        capabilities.checksumKinds = [.sha1]
        return capabilities
    }

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing.paged { [base] (_: Int?) in
            var items = try await base.contentsOfDirectory(path: path)
            guard let readable = base as? any FileProviderReadWrite else { return (items, nil) }
            for index in items.indices where items[index].isRegularFile {
                let sums = RunningChecksums([.sha1])
                await sums.update(ByteBuffer(bytes: try await readable.contents(path: items[index].path)))
                items[index].extras[.checksums] = await sums.finish()
            }
            return (items, nil)
        }
    }
}

extension WithChecksums: FileProviderOperations where Base: FileProviderOperations {}
extension WithChecksums: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension WithChecksums: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
extension WithChecksums: FileProviderItemAttributes where Base: FileProviderItemAttributes {}
