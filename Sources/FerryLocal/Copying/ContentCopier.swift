import FerryCore
import Foundation
import Synchronization

/// Copies what is in a file: by sharing blocks, else by the kernel, else through memory; holes stay holes.
///
/// Has a buffer of its own: for one thread.
final class ContentCopier {
    /// Bytes that go through memory at a time; files up to this size are copied by one read and one write, which is
    /// quicker than any other way.
    private static let bufferSize = 256 << 10
    /// Bytes that the kernel copies before we look whether to go on.
    private static let rangeSize = 16 << 20

    /// It was the source that failed, not the target.
    private struct ReadFailure: Error {
        let reason: Errno
    }

    private let job: Job
    private let methods: CopyMethods
    private let buffer: UnsafeMutableRawBufferPointer

    /// Makes a copier.
    ///
    /// - Parameters:
    ///   - job: Counts the bytes, and may end the copying between two portions.
    ///   - methods: The methods that are known to work; learns which don't.
    init(job: Job, methods: CopyMethods) {
        self.job = job
        self.methods = methods
        buffer = .allocate(byteCount: Self.bufferSize, alignment: 4096)
    }

    deinit {
        buffer.deallocate()
    }

    /// Copies all bytes.
    ///
    /// - Parameters:
    ///   - source: An open file, at its start.
    ///   - status: Its known status.
    ///   - target: An empty file.
    ///   - path: The source's path, for errors.
    /// - Throws: `CocoaError` when the source changed its length meanwhile; what the system said; `CancellationError`.
    func copy(
        _ source: Descriptor,
        _ status: FileStatus,
        to target: Descriptor,
        path: @autoclosure () -> ItemPath
    ) throws {
        let copied: Int64
        do {
            copied = try copyBytes(source, status, to: target)
        } catch let failure as ReadFailure {
            throw failure.reason.mapped(.reading, path())
        }
        // Files like those of /proc say that they are empty, and are not.
        let isExpected = copied == status.size || status.size == 0
        guard isExpected, try source.status().size == status.size else {
            throw CocoaError.changedWhileReading(path())
        }
    }

    /// Copies a part to the same offsets, holes as holes.
    ///
    /// - Parameters:
    ///   - range: Which bytes.
    ///   - source: An open file.
    ///   - status: Its known status.
    ///   - target: Another; what is in the part there is as good as nothing.
    ///   - path: The source's path, for errors.
    /// - Throws: `CocoaError` when the source has become shorter; what the system said; `CancellationError`.
    func copy(
        _ range: Range<Int64>,
        of source: Descriptor,
        _ status: FileStatus,
        to target: Descriptor,
        path: ItemPath
    ) throws {
        var offset = range.lowerBound
        do {
            if status.isSparse {
                offset = try copyData(source, from: offset, upTo: range.upperBound, to: target)
                // A hole at the end of a part.
                if try target.status().size < offset { try target.truncate(to: offset) }
            } else {
                offset = try copyRange(source, from: offset, upTo: range.upperBound, to: target)
            }
        } catch let failure as ReadFailure {
            throw failure.reason.mapped(.reading, path)
        }
        guard offset == range.upperBound else { throw CocoaError.changedWhileReading(path) }
    }

    private func copyBytes(_ source: Descriptor, _ status: FileStatus, to target: Descriptor) throws -> Int64 {
        if methods.mayClone, status.size > 0, try clone(source, to: target) {
            job.advance(by: status.size)
            return try target.status().size
        }
        if status.isSparse { return try copySparse(source, size: status.size, to: target) }
        if status.size <= Self.bufferSize || !methods.mayCopyRanges {
            // The caller checks afterwards if it has grown.
            return try copyThroughMemory(source, from: 0, upTo: status.size > 0 ? status.size : .max, to: target)
        }
        return try copyRange(source, from: 0, upTo: status.size, to: target)
    }

    private func clone(_ source: Descriptor, to target: Descriptor) throws -> Bool {
        do {
            try target.clone(source)
            return true
        } catch {
            if !error.isUnsupported && !error.isAny(of: EPERM, EACCES, ETXTBSY) { throw error }
            methods.mayClone = false
            return false
        }
    }

    /// Copies what lies between the holes.
    private func copySparse(_ source: Descriptor, size: Int64, to target: Descriptor) throws -> Int64 {
        try target.truncate(to: size)
        return try copyData(source, from: 0, upTo: size, to: target)
    }

    /// - Returns: The offset behind the last byte that is as in the source; less than `size` where that is shorter.
    private func copyData(
        _ source: Descriptor,
        from first: Int64,
        upTo size: Int64,
        to target: Descriptor
    ) throws -> Int64 {
        var offset = first
        while offset < size {
            let start: Int64
            let end: Int64
            do {
                start = min(try source.nextData(from: offset), size)
                if start == size { break }
                end = try source.nextHole(from: start)
            } catch {
                if error.code == ENXIO { break }  // nothing but a hole follows
                guard error.isUnsupported else { throw error }
                return try copyRange(source, from: offset, upTo: size, to: target)
            }
            job.advance(by: start - offset)
            offset = try copyRange(source, from: start, upTo: min(end, size), to: target)
            if offset < min(end, size) { return offset }
        }
        return size
    }

    /// Copies a part to the same offsets.
    ///
    /// - Returns: The offset behind the last byte that was copied; less than `end` where the source is shorter.
    private func copyRange(
        _ source: Descriptor,
        from start: Int64,
        upTo end: Int64,
        to target: Descriptor
    ) throws -> Int64 {
        var offset = start
        while offset < end, methods.mayCopyRanges {
            try job.check()
            do {
                let length = Int(min(end - offset, Int64(Self.rangeSize)))
                let count = try target.copyRange(from: source, at: offset, length: length)
                if count == 0 { break }  // the end, or a file system that pretends: reading will tell
                offset += Int64(count)
                job.advance(by: Int64(count))
            } catch {
                guard error.isUnsupported || error.isAny(of: EPERM, EIO, ETXTBSY) else { throw error }
                methods.mayCopyRanges = false
            }
        }
        return offset < end ? try copyThroughMemory(source, from: offset, upTo: end, to: target) : offset
    }

    /// Reads and writes.
    ///
    /// - Returns: The offset behind the last byte that was copied.
    private func copyThroughMemory(
        _ source: Descriptor,
        from start: Int64,
        upTo end: Int64,
        to target: Descriptor
    ) throws -> Int64 {
        var offset = start
        while offset < end {
            try job.check()
            let wanted = Int(min(Int64(buffer.count), end - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count: Int
            do {
                count = try source.read(into: part, at: offset)
            } catch {
                throw ReadFailure(reason: error)
            }
            if count == 0 { break }
            try target.write(UnsafeRawBufferPointer(rebasing: part[..<count]), at: offset)
            offset += Int64(count)
            job.advance(by: Int64(count))
        }
        return offset
    }
}

/// Which quick ways of copying are still worth trying between two file systems; a way that failed once is not.
final class CopyMethods: Sendable {
    private let clones = Atomic(true)
    private let copiesRanges = Atomic(true)
    private let copiesExtendedAttributes = Atomic(true)

    /// Sharing blocks, which copies nothing at all.
    var mayClone: Bool {
        get { clones.load(ordering: .relaxed) }
        set { clones.store(newValue, ordering: .relaxed) }
    }

    /// Letting the kernel copy.
    var mayCopyRanges: Bool {
        get { copiesRanges.load(ordering: .relaxed) }
        set { copiesRanges.store(newValue, ordering: .relaxed) }
    }

    /// Extended attributes, which the source's file system may not have at all.
    var hasExtendedAttributes: Bool {
        get { copiesExtendedAttributes.load(ordering: .relaxed) }
        set { copiesExtendedAttributes.store(newValue, ordering: .relaxed) }
    }
}
