import FerryCore
import FerryTransfer
import Foundation

extension DemoTour {
    /// Copies the tree to a server, breaks that off halfway, and goes on; lists what is there then.
    func goOn(_ made: SampleTree.Count) async throws {
        let work = folder.appending("server")
        let server = try await DemoServer.start(in: work, environment: ProcessInfo.processInfo.environment)
        guard let server else {
            try title("Copy it to a WebDAV server, pull the plug halfway, and go on")
            return try line("This step needs an Apache: apt-get install apache2", .faint)
        }
        let outcome: Result<Void, any Error>
        do {
            try await goOn(made, server, work)
            outcome = .success(try await listTwice(server, work))
        } catch {
            outcome = .failure(error)
        }
        await server.stop()
        try outcome.get()
    }

    private func goOn(_ made: SampleTree.Count, _ server: DemoServer, _ work: ItemPath) async throws {
        try title(
            "Copy it to a WebDAV server, pull the plug halfway, and go on",
            "ferry cp -r \(sample.lastName) \(server.url) ; ferry jobs resume"
        )
        var tree = SampleTree()
        let all = made.bytes + (try await tree.makeFilm(on: local))
        var options = TransferOptions()
        // The film is under way when it is broken off; what has arrived of it stays, in parts of this size.
        options.order = TransferOrder(.size, ascending: false)
        options.partSize = 2 << 20
        let transfer = try FerryTransfer.Transfer(
            from: TransferPlace(local),
            to: TransferPlace(server.files),
            options: options
        )
        let journal = try await TransferJournal.open(at: URL(filePath: work.appending("transfers.sqlite").string))

        try await breakOff(transfer, journal, all)
        let begun = try await journal.jobs().first?.unfinishedFiles.map(\.path.lastName) ?? []
        let unfinished = begun.isEmpty ? "between two files" : "in the middle of \(begun.joined(separator: ", "))"
        try line("broken off \(unfinished)", .bad)

        try session.output.flush()
        let (report, time) = try await timed {
            try await ProgressBar.show(
                .copy(source: "/", destination: "/"),
                title: "  going on",
                after: .milliseconds(20),
                staysAtEnd: true,
                on: session.console
            ) { try await transfer.run(journal: journal, reporting: $0) }
        }
        if let failure = report.failures.first { throw failure.error }
        guard try await sizes(on: local) == sizes(on: server.files) else { throw CocoaError(.fileWriteUnknown) }
        let sent = "\(Quantity.words(bytes: report.bytes)) of \(Quantity.words(bytes: all))"
        try done("the second run sent \(sent), and all is there", time, bytes: report.bytes)
    }

    /// Begins a transfer, and ends it when half of its bytes have passed.
    private func breakOff(_ transfer: FerryTransfer.Transfer, _ journal: TransferJournal, _ all: Int64) async throws {
        let control = TransferControl()
        let plug = Plug(limit: all / 2, control)
        do {
            _ = try await transfer.run(journal: journal, reporting: plug, control: control)
        } catch  where plug.isCancelled {
            return try Task.checkCancellation()
        }
        throw CocoaError(.fileWriteUnknown)
    }

    /// All files of a storage, with their lengths.
    private func sizes(on storage: any FileProvider, below folder: ItemPath = .root) async throws -> [ItemPath: Int64] {
        var sizes: [ItemPath: Int64] = [:]
        for item in try await storage.contentsOfDirectory(path: folder) {
            if item.isDirectory {
                sizes.merge(try await self.sizes(on: storage, below: item.path)) { first, _ in first }
            } else if item.isRegularFile {
                sizes[item.path] = item.size ?? -1
            }
        }
        return sizes
    }
}

/// A progress that is cancelled when so many bytes have passed.
// Unchecked as every subclass of `Progress` must be: that guards itself, and what is added is immutable.
private final class Plug: Progress, @unchecked Sendable {
    private let limit: Int64
    private let control: TransferControl

    init(limit: Int64, _ control: TransferControl) {
        self.limit = limit
        self.control = control
        super.init(parent: nil, userInfo: nil)
    }

    override var completedUnitCount: Int64 {
        get { super.completedUnitCount }
        set {
            super.completedUnitCount = newValue
            guard newValue >= limit, !isCancelled, !control.isPaused else { return }
            // No further byte passes from now on; and whoever counts is not called back while they count.
            control.pause()
            DispatchQueue.global().async { self.cancel() }
        }
    }
}
