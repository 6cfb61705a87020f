import FerryCore
import Foundation
import NIOCore
import Synchronization

/// A storage that says nothing of what it stores, and of some files doesn't store all.
final class Forgetful<Base: FileProviderBasic>: FileProviderWrapper {
    /// The content that it stores instead.
    enum Habit: Sendable {
        case nothing
        case half
        case others
    }

    let base: Base
    /// Returns the habit for a file that is written; `nil` to store it properly.
    fileprivate let habit: @Sendable (ItemPath) async -> Habit?
    fileprivate let count = Mutex(0)
    /// Copies that it doesn't make.
    fileprivate let copies: Mutex<Int>

    /// Makes one.
    ///
    /// - Parameters:
    ///   - base: The storage that it wraps.
    ///   - habit: The habit for files of a name.
    ///   - times: How often.
    ///   - copies: Copies by itself that it doesn't make.
    convenience init(base: Base, _ habit: Habit, times: [Int: Int], copies: Int = 0) {
        let left = Mutex(times)
        self.init(base: base, copies: copies) { path in
            left.withLock { left in
                guard let name = Int(path.lastName), let times = left[name], times > 0 else { return nil }
                left[name] = times - 1
                return habit
            }
        }
    }

    /// Makes one.
    ///
    /// - Parameters:
    ///   - base: The storage that it wraps.
    ///   - copies: Copies by itself that it doesn't make.
    ///   - habit: Returns the habit for a file that is written; `nil` to store it properly.
    init(base: Base, copies: Int = 0, habit: @escaping @Sendable (ItemPath) async -> Habit?) {
        self.base = base
        self.habit = habit
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
        switch await habit(path) {
        case .nothing: return nil
        case .half: all = all.getSlice(at: all.readerIndex, length: all.readableBytes / 2) ?? ByteBuffer()
        case .others: all = ByteBuffer(string: "theirs")
        case nil: break
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
extension Forgetful: FileProviderSymbolicLink where Base: FileProviderSymbolicLink {}
extension Forgetful: FileProviderReadWrite where Base: FileProviderReadWrite {}
extension Forgetful: FileProviderReadWriteProgressive where Base: FileProviderReadWriteProgressive {}
