import Ferry
import FerryCache
import FerryTestServers
import FerryWebDAV
import Foundation
import Testing

@Suite("The guide for who comes from FilesProvider")
struct ComingFromFilesProviderTests {
    @Test("shows code that compiles: this very code")
    func code() throws {
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 1)
        #expect(try examples.missing(from: "../../Sources/Ferry/Ferry.docc/ComingFromFilesProvider.md") == [])
    }

    /// Compiled, and never called: it would change this person's documents.
    private func use(_ listener: some FileProviderDelegate) throws {
        // begin
        let documents = try LocalFileProvider(for: .documentDirectory)
        documents.delegate = listener
        documents.create(folder: "new folder", at: "/") { error in
            if let error { print(error.localizedDescription) }
        }
        documents.contentsOfDirectory(path: "/") { files, error in
            for file in FileObjectSorting.modifiedDescending.sorted(files) {
                print(file.name, file.size ?? 0, file.creationDate ?? .distantPast, file.isReadOnly ?? false)
            }
        }
        documents.writeContents(path: "/old.txt", contents: Data("What's up?".utf8), overwrite: true) { _ in }
        documents.contents(path: "/old.txt", offset: 2, length: 5) { data, error in
            print(data?.count ?? 0)
        }
        documents.moveItem(path: "/old.txt", to: "/new folder/new.txt") { _ in }
        documents.searchFiles(path: "/", recursive: true, query: "new") { found in
            print("found", found.path)
        } completionHandler: { all, error in
            print(all.count)
        }
        documents.registerNotification(path: "/") { print("look again") }
        // end
    }

    /// The names of the tables that are not in the example, compiled.
    private func names(_ cloud: WebDAVFileProvider, _ file: FileObject, _ volume: VolumeObject) async throws {
        _ = (file.isHidden, file.isRegularFile, file.isSymbolicLink, file.extras[.childCount], file[.fileSizeKey])
        _ = (volume.totalCapacity, volume.availableCapacity, volume.usedCapacity, volume.isEncrypted, volume.uuid)
        _ = (cloud.callbackQueue, cloud.operationQueue, cloud.maximumOperationTasks, cloud.transport)
        _ = try FileQuery(fromSpotlight: "kMDItemFSSize > 10")
        _ = try await cloud.fileByUniqueName("/a")
        _ = try await cloud.attributesOfItem(path: "/a", including: [.fileSizeKey])
        _ = (cloud.url(of: "/a"), cloud.relativePath(of: URL(filePath: "/a")))
        _ = Date(rfcString: "Sun, 06 Nov 1994 08:49:37 GMT")
        _ = UndoableFileProvider(cloud, undoManager: FileUndoManager())
        try LocalFileProvider(for: .documentDirectory).create(symbolicLink: "/b", withDestination: "a") { _ in }
        await cloud.invalidate()
    }
}
