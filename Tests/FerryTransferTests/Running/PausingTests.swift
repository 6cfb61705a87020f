import FerryCore
import FerryMemory
import Foundation
import Synchronization
import Testing

@testable import FerryTransfer

@Suite("Pausing is seen by those who do the work for a transfer")
struct PausingTests {
    @Test("what follows a progress knows at once what that does, and never forgets that it goes on again")
    func following() async throws {
        let (control, progress) = (TransferControl(), Progress(totalUnitCount: 0))
        progress.pause()
        let key = control.follow(progress)
        defer { control.unfollow(key) }
        #expect(control.isPaused)
        for _ in 0..<1_000 {
            progress.resume()
            #expect(!control.isPaused)
            progress.pause()
            #expect(control.isPaused)
        }
        progress.resume()
        try await control.pass()
        // It can still be paused and let go by itself.
        control.pause()
        #expect(control.isPaused)
        control.resume()
        progress.pause()
        control.resume()
        #expect(!control.isPaused)
    }

    @Test("what only a progress has paused goes on when nobody follows that any more", arguments: [false, true])
    func unfollowing(isHeld: Bool) {
        let (control, first, second) = (TransferControl(), Progress(totalUnitCount: 0), Progress(totalUnitCount: 0))
        let (one, other) = (control.follow(first), control.follow(second))
        first.pause()
        second.pause()
        if isHeld { control.pause() }
        #expect(control.isPaused)
        control.unfollow(other)
        // The first one is paused still.
        #expect(control.isPaused)
        control.unfollow(one)
        #expect(control.isPaused == isHeld)
        control.resume()
        #expect(!control.isPaused)
    }

    @Test("what is copied straight from storage to storage is paused by its progress")
    func direct() async throws {
        let source = MemoryFileProvider()
        try await Tree.plant(["/a/1": "one", "/a/d/2": "two"], in: source)
        let control = TransferControl()
        let seen = Mutex<[Bool]>([])
        let target = DirectStorage(base: MemoryFileProvider()) { progress in
            var states = [progress.isPaused]
            control.pause()
            states.append(progress.isPaused)
            control.resume()
            states.append(progress.isPaused)
            seen.withLock { $0 = states }
        }
        let transfer = try Transfer(from: TransferPlace(source, "/a"), to: TransferPlace(target, "/b"))
        let report = try await transfer.run(control: control)
        #expect(report.isComplete, "\(report.lines)")
        #expect(seen.withLock { $0 } == [false, true, false])
        // A transfer that is over is left alone.
        control.pause()
        control.resume()
        #expect(try await Tree.lines(of: target.base, below: "/b") == ["/1 one", "/d/", "/d/2 two"])
    }
}

/// A storage that takes items straight from another in memory, and lets the test look on.
private struct DirectStorage<Base: FileProviderBasic>: FileProviderWrapper {
    let base: Base
    let meanwhile: @Sendable (Progress) -> Void

    func pass<Result: Sendable>(
        _ call: FileProviderCall,
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        try await body()
    }
}

extension DirectStorage: FileProviderOperations where Base: FileProviderOperations {}
extension DirectStorage: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension DirectStorage: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}

extension DirectStorage: FileProviderDirectCopying where Base: FileProviderOperations & FileProviderReadWrite {
    func canCopy(from source: any FileProviderBasic) -> Bool { source is MemoryFileProvider }

    func copyItem(
        path: ItemPath,
        of source: any FileProviderBasic,
        to target: ItemPath,
        overwrite: Bool,
        reporting progress: Progress?,
        onError: (@Sendable (ItemPath, any Error) -> Bool)?
    ) async throws -> CopiedItems {
        guard let source = source as? MemoryFileProvider else { throw CocoaError(.featureUnsupported) }
        if let progress { meanwhile(progress) }
        var copied = CopiedItems(folders: 1)
        try await base.create(folder: target.lastName, at: target.parent)
        for (relative, content) in try await TreeContent.all(of: source, below: path).sorted(by: { $0.key < $1.key }) {
            let place = target.appending(path: relative)
            switch content {
            case .folder:
                try await base.create(folder: place.lastName, at: place.parent)
                copied.folders += 1
            case .file(let data):
                try await base.writeContents(path: place, contents: data, atomically: true, overwrite: false)
                copied.files += 1
            case .link: copied.files += 1
            }
        }
        return copied
    }
}
