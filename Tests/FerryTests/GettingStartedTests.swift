import Dispatch
import Ferry
import FerryFTP
import FerrySFTP
import FerryTestServers
import FerryTransfer
import FerryWebDAV
import Foundation
import Testing

@Suite("The guide for beginners")
struct GettingStartedTests {
    private static let page = "../../Sources/Ferry/Ferry.docc/GettingStarted.md"

    @Test("shows code that compiles: this very code")
    func code() throws {
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 11)
        #expect(try examples.missing(from: Self.page) == [])
    }

    // Compiled, and never called: there is no such server.

    private func list(password: String) async throws {
        // begin
        guard let url = URL(string: "https://example.org/dav/") else { return }
        let credential = FileProviderCredential(user: "alice", secret: .password(password))
        let cloud = try WebDAVFileProvider(baseURL: url, credential: credential)

        for item in try await cloud.contentsOfDirectory(path: "/Photos") {
            print(item.name, item.size ?? 0, item.modifiedDate ?? .distantPast)
        }
        // end
        // begin
        let query = try FileQuery(format: "name LIKE[c] '*.jpg' AND fileSize > 1000000")
        for try await photo in cloud.searchFiles(path: "/Photos", recursive: true, query: query) {
            print(photo.path)
        }
        // end
        // begin
        let environment = FileProviderEnvironment(callbackQueue: DispatchQueue(label: "app.files"))
        let files = try WebDAVFileProvider(baseURL: url, credential: credential, environment: environment)
        // end
        print(files)
    }

    private func lines(hosting: URL, server: URL, credential: FileProviderCredential, picture: URL) async throws {
        // begin
        var options = FTPOptions()
        options.security = .explicit
        options.isActive = true  // the server connects to us for data
        let site = try FTPFileProvider(baseURL: hosting, credential: credential, options: options)
        try await site.copyItem(localFile: picture, to: "/photos/boat.jpg")

        let machine = try SFTPFileProvider(baseURL: server)  // sftp://alice@example.org/srv/data
        print(try await machine.contents(path: "/notes.txt").count, "bytes")
        // end
    }

    private func handlers(_ cloud: WebDAVFileProvider, picture: URL) {
        // begin
        final class Listener: FileProviderDelegate {
            func fileProvider(_ provider: any FileProviderBasic, operation: FileOperationType, progress: Double) {
                print(operation.actionDescription, "\(Int(progress * 100)) %")
            }

            func fileProvider(_ provider: any FileProviderBasic, didSucceed operation: FileOperationType) {
                print("done:", operation)  // done: Upload of “boat.jpg”
            }

            func fileProvider(
                _ provider: any FileProviderBasic,
                didFail operation: FileOperationType,
                error: any Error
            ) {
                print(error.localizedDescription)  // a whole sentence, with the item
            }
        }

        let listener = Listener()
        cloud.delegate = listener  // held weakly
        cloud.maximumOperationTasks = 2
        let upload = cloud.copyItem(localFile: picture, to: "/Photos/boat.jpg") { error in
            print(error == nil ? "uploaded" : "not uploaded")
        }
        cloud.contentsOfDirectory(path: "/Photos") { items, error in
            print(items.count, "items")  // those that came before an error, too
        }
        // end
        upload.cancel()
    }

    private func upload(to cloud: WebDAVFileProvider, _ film: URL) async throws {
        // begin
        let progress = Progress(totalUnitCount: 0)
        let task = Task {
            try await cloud.copyItem(localFile: film, to: "/film.mp4", overwrite: true, reporting: progress)
        }
        print(progress.fractionCompleted, progress.speed() ?? 0, "bytes a second")
        print(progress.timeLeft() ?? .zero, "left")
        progress.cancel()
        do {
            try await task.value
        } catch is CancellationError {
            print("cancelled")
        }
        // end
    }

    private func read(_ cloud: WebDAVFileProvider) async throws {
        // begin
        let stream = try await cloud.contentStream(path: "/film.mp4", range: .from(1_000_000))
        print(stream.facts.size ?? 0, stream.facts.contentType ?? "")
        for try await chunk in stream.data {
            print(chunk.count, "bytes")
        }
        // end
        // begin
        cloud.contents(path: "/film.mp4", offset: 1_000_000, length: 4_096) { position, data in
            print(position, data.count)
        } completionHandler: { error in
            print(error?.localizedDescription ?? "that was all")
        }
        // end
    }

    private func nextcloud(_ server: URL) async throws {
        // begin
        let login = try await NextcloudLogin.begin(server: server)
        print("Open \(login.loginURL) in a browser.")
        var granted = try await login.poll()
        while granted == nil {
            try await Task.sleep(for: .seconds(2))
            granted = try await login.poll()
        }
        guard let granted else { return }

        let storage = try await NextcloudFileProvider.open(granted.server, credential: granted.credential)
        guard let nextcloud = storage as? NextcloudFileProvider else { return }
        let link = try await nextcloud.publicLink(to: "/Photos", options: ShareOptions())
        let theme = try await nextcloud.theme()
        print(link.url, theme.name ?? "", theme.color ?? "")
        try await nextcloud.setFavorite(true, of: "/Photos")
        let trashed = try await nextcloud.trashItem(path: "/old.txt")
        try await nextcloud.restoreFromTrash(trashed, to: nil)
        // end
    }

    private func trees(_ cloud: WebDAVFileProvider) throws {
        // begin
        let disk = LocalFileProvider(baseURL: URL(filePath: "/srv/photos"))
        var options = TransferOptions()
        options.filter.patterns = TransferFilter.patterns(in: "*.tmp\n/private/")
        let transfer = try Transfer(from: TransferPlace(disk), to: TransferPlace(cloud, "/backup"), options: options)
        let backup = TransferOperation(
            transfer,
            ended: { outcome in
                switch outcome {
                case .success(let report): print(report.counts[.add] ?? 0, "copied,", report.failures.count, "failed")
                case .failure(let error): print(error.localizedDescription)
                }
            }
        )
        let queue = OperationQueue()
        queue.addOperation(backup)
        print(backup.progress.completedUnitCount, "bytes so far")
        // end
    }

    private func errors(_ cloud: WebDAVFileProvider) async throws {
        // begin
        do {
            try await cloud.create(folder: "Photos", at: "/")
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            print("it is there already")
        } catch let error as URLError where error.code == .userAuthenticationRequired {
            print("log in again")
        } catch let error as any FileProviderHTTPError where error.code == .conflict {
            print(error.localizedDescription)
        }
        // end
    }
}
