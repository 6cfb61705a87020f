import Dispatch
package import FerryCore
public import Foundation
import NIOCore
import Synchronization

/// Copies of what was replaced or removed, on this machine: for storages that keep nothing themselves.
///
/// A folder of files that only their owner can read (0700, 0600), of which the oldest make room for new ones. Each file's
/// name ends in the checksum of its content, which is looked at before it is given back. Several processes may use one
/// folder.
public final class ShadowStore: Sendable {
    /// The folder of the copies.
    public let folder: URL

    /// Bytes that all copies may have together.
    public let limit: Int64

    private let now: @Sendable () -> Date
    /// Waits for the disk, which Swift's own threads must not.
    private let queue = DispatchQueue(label: "ferry.shadow-store")
    private let count = Atomic<UInt64>(0)

    /// Opens a store, of which nothing need exist yet.
    ///
    /// - Parameters:
    ///   - folder: Where to keep the copies: a folder of its own.
    ///   - limit: Bytes that all copies may have together.
    ///   - now: A closure that returns the time.
    public init(folder: URL, limit: Int64 = 256 << 20, now: @escaping @Sendable () -> Date = { Date() }) {
        self.folder = folder
        self.limit = max(0, limit)
        self.now = now
    }

    private var path: String { folder.path(percentEncoded: false) }

    private func file(_ id: String) -> String { path + (path.hasSuffix("/") ? "" : "/") + id }

    /// Returns what makes a name ours, and nothing that leads elsewhere.
    private static func isName(_ id: some StringProtocol) -> Bool {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isHexDigit) }
    }

    // MARK: - In

    /// Keeps content.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - length: How many there will be, if that is known.
    ///   - tag: Hexadecimal digits by which ``id(tagged:)`` finds it, if nobody comes to note what leads back to it.
    /// - Returns: The identifier that leads back to it.
    /// - Throws: `CocoaError.fileWriteOutOfSpace` if it is larger than the limit, or the disk is full; what `contents`
    ///   throws. Then nothing is kept.
    func keep<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        tag: String? = nil
    ) async throws -> String where Contents.Element == ByteBuffer {
        if let length, length > limit { throw tooLarge }
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue
        let ticks = UInt64(max(0, now().timeIntervalSince1970) * 1_000_000)
        let digits = String(ticks, radix: 16)
        let prefix =
            String(repeating: "0", count: 16 - digits.count) + digits
            + "-\(String(number, radix: 16))-\(tag ?? String(UInt64.random(in: .min ... .max), radix: 16))-"
        let temporary = file(prefix + "new")
        do {
            let descriptor = try await run { try self.create(temporary) }
            let sum = try await write(contents, length: length, to: descriptor)
            let id = prefix + sum
            try await run { [self] in
                guard rename(temporary, file(id)) == 0 else { throw failure(errno) }
                makeRoom()
            }
            return id
        } catch {
            _ = await uncancelledRun { unlink(temporary) }
            throw error
        }
    }

    private func create(_ temporary: String) throws -> FileHandle {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    private func write<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        length: Int64?,
        to file: FileHandle
    ) async throws -> String where Contents.Element == ByteBuffer {
        let checksum = PartChecksum()
        var written: Int64 = 0
        for try await chunk in contents {
            try Task.checkCancellation()
            written += Int64(chunk.readableBytes)
            if written > limit { throw tooLarge }
            checksum.update(chunk)
            try await run { try file.write(contentsOf: Data(chunk.readableBytesView)) }
        }
        if let length, length != written { throw URLError.wrongLength(expected: length, received: written) }
        try await run { try file.close() }
        return checksum.finish()
    }

    /// Removes the oldest until the rest is within the limit; and what a dead process has left behind.
    private func makeRoom() {
        var kept = entries()
        var total = kept.reduce(0) { $0 + $1.size }
        while total > limit, kept.count > 1, let oldest = kept.first {
            kept.removeFirst()
            unlink(file(oldest.id))
            total -= oldest.size
        }
        let longAgo = now().addingTimeInterval(-86_400).timeIntervalSince1970 * 1_000_000
        for name in names() where name.hasSuffix("-new") {
            if let ticks = UInt64(name.prefix(16), radix: 16), Double(ticks) < longAgo { unlink(file(name)) }
        }
    }

    /// Oldest first.
    private func entries() -> [(id: String, size: Int64)] {
        names().filter { Self.isName($0) }.sorted().compactMap { name in
            var status = stat()
            return lstat(file(name), &status) == 0 ? (name, Int64(status.st_size)) : nil
        }
    }

    /// Returns what is in the folder: nothing before anything was kept, nor when it can't be listed; then what is too
    /// much is seen when the next item is kept.
    private func names() -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    }

    // MARK: - Out

    /// Returns whether it is still kept.
    func contains(_ id: String) async -> Bool {
        guard Self.isName(id) else { return false }
        return await uncancelledRun { access(self.file(id), R_OK) == 0 }
    }

    /// Returns what leads to the copy that was kept with a tag.
    ///
    /// - Parameter tag: The tag.
    /// - Returns: `nil` if there is no such copy.
    func id(tagged tag: String) async -> String? {
        await uncancelledRun {
            self.names().first { name in
                Self.isName(name) && name.split(separator: "-")[2].elementsEqual(tag)
            }
        }
    }

    /// All that is kept, the oldest first.
    ///
    /// - Returns: The identifier of each, and its bytes.
    package func items() async -> [(id: String, size: Int64)] { await uncancelledRun { self.entries() } }

    /// Opens what is kept, when its checksum holds.
    ///
    /// - Parameter id: The identifier of the kept content.
    /// - Returns: The bytes, and how many.
    /// - Throws: `CocoaError.fileNoSuchFile` when it had to make room; `.fileReadCorruptFile` when it was damaged.
    package func contents(_ id: String) async throws -> (chunks: FileContentStream, length: Int64) {
        guard Self.isName(id), let expected = id.split(separator: "-").last else { throw CocoaError(.fileNoSuchFile) }
        let (handle, length) = try await run { () throws -> (FileHandle, Int64) in
            let descriptor = open(self.file(id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw errno == ENOENT ? CocoaError(.fileNoSuchFile) : self.failure(errno) }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let checksum = PartChecksum()
            var length: Int64 = 0
            while let data = try file.read(upToCount: Self.chunk), !data.isEmpty {
                data.withUnsafeBytes { checksum.update($0) }
                length += Int64(data.count)
            }
            guard checksum.finish() == expected else { throw CocoaError(.fileReadCorruptFile) }
            try file.seek(toOffset: 0)
            return (file, length)
        }
        let facts = FileContentFacts(size: length, range: 0..<length)
        let stream = FileContentStream(facts: facts) { [self] in
            try await run {
                guard let data = try handle.read(upToCount: Self.chunk), !data.isEmpty else { return nil }
                return ByteBuffer(bytes: data)
            }
        }
        return (stream, length)
    }

    private static let chunk = 256 << 10

    /// Forgets what is kept.
    package func discard(_ ids: [String]) async {
        await uncancelledRun { for id in ids where Self.isName(id) { unlink(self.file(id)) } }
    }

    /// Bytes that all copies have together.
    public func usedBytes() async -> Int64 {
        await uncancelledRun { self.entries().reduce(0) { $0 + $1.size } }
    }

    /// Forgets everything.
    public func removeAll() async {
        await uncancelledRun { for entry in self.entries() { unlink(self.file(entry.id)) } }
    }

    // MARK: - Work

    private func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try body() }) }
        }
    }

    private func uncancelledRun<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: body()) }
        }
    }

    private var tooLarge: CocoaError {
        CocoaError(
            .fileWriteOutOfSpace,
            userInfo: [
                NSLocalizedDescriptionKey: "It is larger than what may be kept for undoing.",
                NSLocalizedFailureReasonErrorKey: "it is larger than what may be kept for undoing",
            ]
        )
    }

    private func failure(_ code: CInt) -> CocoaError {
        let isFull = code == ENOSPC || code == EDQUOT
        let underlying = POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
        let reason = isFull ? "the disk is full" : "could not be kept"
        return CocoaError(
            isFull ? .fileWriteOutOfSpace : .fileWriteUnknown,
            userInfo: [
                NSFilePathErrorKey: path,
                NSLocalizedDescriptionKey: "What is kept for undoing could not be written in “\(path)”: \(reason).",
                NSLocalizedFailureReasonErrorKey: reason,
                NSUnderlyingErrorKey: underlying,
            ]
        )
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { UnicodeScalar(self).properties.isASCIIHexDigit }
}
