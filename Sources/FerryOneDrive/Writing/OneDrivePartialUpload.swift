import FerryCore
import FerryHTTP
import Foundation
import NIOCore
import Synchronization

/// An upload session to which parts of a file are added, one after the other.
///
/// The service makes the file of the last fragment, so that this one is held back until the file is to get its name. All
/// that the service has not confirmed is held, at most a fragment and a chunk.
final class OneDrivePartialUpload: Sendable {
    private struct State {
        /// Bytes that the service has not confirmed.
        var held = ByteBuffer()
        /// The offset of the first of them: the service has all before.
        var start: Int64 = 0
        /// A Boolean value that indicates whether the service has to be asked how many bytes it has.
        var isUncertain: Bool

        var end: Int64 { start + Int64(held.readableBytes) }
    }

    /// Bytes of a fragment.
    private static let fragmentSize = OneDriveUpload.limits(isStream: true).firstSize

    /// The session.
    let session: UploadSessionHandle

    private let provider: OneDriveFileProvider
    private let driver: OneDriveUploadDriver
    private let path: ItemPath
    private let length: Int64
    private let hash: OneDriveContentHash
    private let state: Mutex<State>

    /// Makes an upload.
    ///
    /// - Parameters:
    ///   - provider: The provider.
    ///   - commit: The way in which the content becomes a file.
    ///   - length: Bytes in all.
    ///   - earlier: The session that was begun, maybe by another process; `nil` to begin one.
    /// - Throws: As a write does.
    init(
        _ provider: OneDriveFileProvider,
        _ commit: OneDriveCommit,
        length: Int64,
        goingOnWith earlier: UploadSessionHandle? = nil
    ) async throws {
        let hash = OneDriveContentHash()
        driver = OneDriveUploadDriver(provider, commit, size: length, isStream: true) {
            // Bytes that an earlier process has sent are not in it: the caller compares the checksum that the file tells.
            hash.count == length ? hash.finish() : nil
        }
        (self.provider, self.path, self.length, self.hash) = (provider, commit.path, length, hash)
        state = Mutex(State(isUncertain: earlier != nil))
        if let earlier { session = earlier } else { session = try await driver.begin(size: length) }
    }

    /// Adds the bytes of a part; those that are there already are passed over.
    ///
    /// - Parameters:
    ///   - contents: The bytes.
    ///   - range: Their offsets in the file.
    ///   - wrote: Called with the number of the part's bytes that the service has confirmed since the last call.
    /// - Throws: `UploadSessionLostError`; `URLError.wrongLength(expected:received:)`; what `contents` throws.
    func add<Contents: AsyncSequence & Sendable>(
        _ contents: Contents,
        at range: Range<Int64>,
        wrote: (Int64) -> Void
    ) async throws where Contents.Element == ByteBuffer {
        try await settle()
        guard state.withLock({ $0.end >= range.lowerBound }) else { throw UploadSessionLostError() }
        let count = Int64(range.count)
        var position = range.lowerBound
        var told = range.lowerBound
        func tell() {
            let confirmed = min(max(told, state.withLock(\.start)), range.upperBound)
            if confirmed > told { wrote(confirmed - told) }
            told = confirmed
        }
        tell()
        for try await chunk in contents {
            let next = position + Int64(chunk.readableBytes)
            guard next <= range.upperBound else {
                throw URLError.wrongLength(expected: count, received: next - range.lowerBound)
            }
            take(chunk, at: position)
            position = next
            while state.withLock({ Int64($0.held.readableBytes) > Self.fragmentSize }) {
                try await send(Self.fragmentSize)
                tell()
            }
        }
        guard position == range.upperBound else {
            throw URLError.wrongLength(expected: count, received: position - range.lowerBound)
        }
        // The last bytes of the file stay until it gets its name; others are what a fragment may be.
        let (end, waiting) = state.withLock { ($0.end, Int64($0.held.readableBytes)) }
        let whole = end < length ? waiting / OneDriveUpload.alignment * OneDriveUpload.alignment : 0
        if whole > 0 {
            try await send(whole)
            tell()
        }
    }

    /// Returns the number of bytes from the start that the service has.
    ///
    /// - Returns: The number; those that are held back don't count.
    /// - Throws: `UploadSessionLostError`; errors of the connection.
    func confirmed() async throws -> Int64 {
        try await settle()
        return state.withLock(\.start)
    }

    /// Sends what was held back, of which the service makes the file.
    ///
    /// - Parameter commit: The way in which the content becomes a file.
    /// - Returns: The file.
    /// - Throws: `URLError.wrongLength(expected:received:)`; `UploadSessionLostError`; as a write does.
    func finish(_ commit: OneDriveCommit) async throws -> FileObject? {
        // The service does what the session began with, and can't be asked to do anything else at its end.
        guard session.values[OneDriveConflict.name] == commit.conflict.rawValue else { throw UploadSessionLostError() }
        driver.commit = commit
        try await settle()
        let (end, waiting) = state.withLock { ($0.end, Int64($0.held.readableBytes)) }
        guard end == length else { throw URLError.wrongLength(expected: length, received: end) }
        if waiting > 0 { try await send(waiting) }
        let file = try await driver.finish(session, pieces: [], size: length)
        return try await mappingRefusals(whileWriting: true, target: path) { try await dated(file, commit) }
    }

    /// Gives the file its date, where that is not the one with which the session began.
    private func dated(_ file: FileObject?, _ commit: OneDriveCommit) async throws -> FileObject? {
        guard let file, let date = commit.options.modifiedDate, OneDriveDate.settable.contains(date),
            file.modifiedDate?.rounded(to: OneDriveDate.precision) != date.rounded(to: OneDriveDate.precision)
        else { return file }
        var dated = try await provider.withDate(file, commit)
        // After a refusal it is the file of whoever has written meanwhile.
        guard dated.extras[.checksums] == file.extras[.checksums] else { return dated }
        dated.extras[.isRewritten] = file.extras[.isRewritten]
        dated.extras[.isVerified] = file.extras[.isVerified]
        return dated
    }

    // MARK: Bytes

    /// Takes bytes behind those that are there; those that are there already are left out.
    private func take(_ chunk: ByteBuffer, at position: Int64) {
        let rest = state.withLock { state -> ByteBuffer? in
            let known = state.end - position
            guard known < Int64(chunk.readableBytes) else { return nil }
            var rest = chunk
            if known > 0 { rest.moveReaderIndex(forwardBy: Int(known)) }
            if state.held.readableBytes == 0 { state.held = rest } else { state.held.writeImmutableBuffer(rest) }
            return rest
        }
        guard let rest else { return }
        // Only from the first byte on it is the hash of the file.
        let start = position + Int64(chunk.readableBytes - rest.readableBytes)
        if hash.count == start { hash.pass(rest) }
    }

    /// Sends a fragment of what is held, which stays until the service has confirmed it.
    private func send(_ count: Int64) async throws {
        let (fragment, start) = state.withLock { state in
            state.isUncertain = true
            return (state.held.getSlice(at: state.held.readerIndex, length: Int(count)), state.start)
        }
        let piece = UploadPiece(number: 1, range: start..<start + count)
        _ = try await driver.send(piece, body: HTTPRequestBody(fragment ?? ByteBuffer()), to: session)
        state.withLock { state in
            state.held.moveReaderIndex(forwardBy: Int(count))
            state.held.discardReadBytes()
            state.start += count
            state.isUncertain = false
        }
    }

    /// Asks the service how many bytes it has, where that is not known.
    private func settle() async throws {
        guard state.withLock(\.isUncertain) else { return }
        guard case .bytes(let end)? = try await driver.acknowledged(in: session) else { throw UploadSessionLostError() }
        try state.withLock { state in
            guard end >= state.start else { throw UploadSessionLostError() }
            if end >= state.end {
                state.held.clear()
            } else {
                state.held.moveReaderIndex(forwardBy: Int(end - state.start))
            }
            state.start = end
            state.isUncertain = false
        }
    }
}
