import FerryCloudLab
import FerryCore
import FerryLocal
import FerryTestServers
import FerryTransfer
import Foundation
import Testing

@Suite("The guide to folder trees")
struct FolderTreesGuideTests {
    @Test("shows code that compiles and works: this very code")
    func code() async throws {
        try await withCloudLab { lab in
            let sandbox = try Sandbox()
            let storage = lab.dropbox.account.storage
            try storage.write(Data("a".utf8), to: "/Album/a.jpg")
            try storage.write(Data("b".utf8), to: "/Album/2025/Summer/b.jpg")
            let dropbox = try CloudAccount.dropbox.provider(of: lab)
            let disk = LocalFileProvider(baseURL: URL(filePath: sandbox.path))
            do {
                try await fetch(dropbox, to: disk, state: sandbox.path) {
                    #expect(sandbox.contents("Album/2025/Summer/b.jpg") == "b")
                    try storage.write(Data("c".utf8), to: "/Album/c.jpg")
                }
                await dropbox.invalidate()
            } catch {
                await dropbox.invalidate()
                throw error
            }
            #expect(sandbox.contents("Album/c.jpg") == "c")
        }
        let examples = try CompiledExamples()
        #expect(examples.texts.count == 3)
        #expect(try examples.missing(from: "../../../Documentation/Guide/FolderTrees.md") == [])
    }

    private func fetch(
        _ dropbox: any TransferPlace.Storage,
        to disk: LocalFileProvider,
        state: String,
        meanwhile: () throws -> Void
    ) async throws {
        let stateFolder = URL(filePath: state).appending(path: "state")
        // begin
        var options = TransferOptions()
        options.concurrency = 4
        let album = try Transfer(
            from: TransferPlace(dropbox, "/Album"),
            to: TransferPlace(disk, "/Album"),
            options: options
        )
        let report = try await album.run()
        print(report.counts[.add] ?? 0, "fetched,", report.failures.count, "failed")
        // end
        #expect(report.isComplete)
        try meanwhile()
        // begin
        let operation = TransferOperation(album) { event in
            if case .failed(let action, let error) = event { print(action.path, error.localizedDescription) }
        } ended: { result in
            print((try? result.get())?.isComplete == true ? "done" : "run it again: it goes on")
        }
        let queue = OperationQueue()
        queue.addOperation(operation)
        // end
        await withCheckedContinuation { continuation in
            queue.addBarrierBlock { continuation.resume() }
        }
        #expect(try operation.result?.get().isComplete == true)
        // begin
        let journal = try await TransferJournal.open(at: stateFolder.appending(path: "transfers.sqlite"))
        _ = try await album.run(journal: journal)
        // end
    }
}
