import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A storage that says nothing of what it stores, and of some files doesn't store all.
final class Forgetful<Base: FileProviderBasic>: FileProviderWrapper {
    /// What it stores instead.
    enum Habit: Sendable {
        case nothing
        case half
        case others
    }

    let base: Base
    fileprivate let habit: Habit
    /// How often, for files of a name.
    fileprivate let left: Mutex<[Int: Int]>
    fileprivate let count = Mutex(0)
    /// Copies that it doesn't make.
    fileprivate let copies: Mutex<Int>

    /// Makes one.
    ///
    /// - Parameters:
    ///   - base: What stores.
    ///   - habit: What it does to files of a name.
    ///   - times: How often.
    ///   - copies: Copies by itself that it doesn't make.
    init(base: Base, _ habit: Habit, times: [Int: Int], copies: Int = 0) {
        self.base = base
        self.habit = habit
        left = Mutex(times)
        self.copies = Mutex(copies)
    }

    var baseURL: URL? { URL(string: "https://forgetful.example/") }

    var writes: Int { count.withLock { $0 } }
}

extension Forgetful where Base: FileProviderReadWriteProgressive {
    @discardableResult
    func writeStream<Contents: AsyncSequence & Sendable>(
        path: ItemPath,
        contents: Contents,
        length: Int64?,
        options: WriteOptions,
        reporting progress: Progress?
    ) async throws -> FileObject? where Contents.Element == ByteBuffer {
        count.withLock { $0 += 1 }
        var all = ByteBuffer()
        for try await chunk in contents { all.writeImmutableBuffer(chunk) }
        let forgets = left.withLock { left in
            guard let name = Int(path.lastName), let times = left[name], times > 0 else { return false }
            left[name] = times - 1
            return true
        }
        if forgets {
            switch habit {
            case .nothing: return nil
            case .half: all = all.getSlice(at: all.readerIndex, length: all.readableBytes / 2) ?? ByteBuffer()
            case .others: all = ByteBuffer(string: "theirs")
            }
        }
        let stream = AsyncStream { [all] continuation in
            continuation.yield(all)
            continuation.finish()
        }
        try await base.writeStream(
            path: path,
            contents: stream,
            length: Int64(all.readableBytes),
            options: options,
            reporting: nil
        )
        return nil
    }
}

extension Forgetful where Base: FileProviderOperations {
    func copyItem(path: ItemPath, to target: ItemPath, overwrite: Bool, reporting progress: Progress?) async throws {
        let forgets = copies.withLock { copies in
            copies -= 1
            return copies >= 0
        }
        if !forgets { try await base.copyItem(path: path, to: target, overwrite: overwrite, reporting: progress) }
    }
}

extension Forgetful: FileProviderOperations where Base: FileProviderOperations {}
extension Forgetful: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Forgetful: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
