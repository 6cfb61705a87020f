import FerryCore
import Foundation

/// A storage somewhere, of which only the items of one folder are known.
struct SampleFileProvider: FileProviderBasic {
    static let type = "sample"

    let baseURL = URL(string: "https://files.example/")
    let credential: FileProviderCredential? = nil
    let capabilities = FileProviderCapabilities()
    let environment = FileProviderEnvironment()

    /// The items of the root.
    let items: [FileObject]

    func directoryListing(path: ItemPath) -> DirectoryListing {
        DirectoryListing.paged { [items] (_: Int?) in (items, nil) }
    }

    func attributesOfItem(path: ItemPath) async throws -> FileObject {
        guard let item = items.first(where: { $0.path == path }) else { throw CocoaError(.fileNoSuchFile) }
        return item
    }

    func storageProperties() async throws -> VolumeObject { VolumeObject() }
}
