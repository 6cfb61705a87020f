import FerryCore
import Foundation
import Synchronization

/// The file that what was done is written to, line by line, by any number of processes at once.
///
/// A line is the kernel's before what it is about is done: a process that is killed loses nothing of it. All of this waits
/// for the disk: call it through ``BlockingWork``.
final class HistoryFile: Sendable {
    /// The file, absolute.
    let path: String

    /// The lock's file, and the file itself: opened once, since there may be a line for each of many files.
    private let opened = Mutex<(lock: CInt, file: CInt)?>(nil)

    /// Opens nothing yet.
    ///
    /// - Parameter path: The file, absolute.
    init(path: String) {
        self.path = path
    }

    deinit {
        opened.withLock { opened in
            if let opened {
                close(opened.lock)
                close(opened.file)
            }
        }
    }

    /// Bytes that it has; 0 also where that can't be told, when it is not shortened.
    var size: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Adds lines, all or none.
    ///
    /// - Parameter lines: The lines to add.
    /// - Throws: `CocoaError` that names the file.
    func append(_ lines: [HistoryLine]) throws {
        let text = try lines.map { try $0.text() + "\n" }.joined()
        try opened.withLock { opened in
            var known = try opened ?? (lock: openFile(lockPath), file: openFile(path))
            opened = known
            while flock(known.lock, LOCK_EX) != 0 { if errno != EINTR { throw failure(errno) } }
            defer { flock(known.lock, LOCK_UN) }
            if lseek(known.file, 0, SEEK_END) == 0 {
                // Empty, or put in order meanwhile, when another file took its place: see ``shorten(_:)``.
                let file = try openFile(path)
                close(known.file)
                known.file = file
                opened = known
            }
            try write(text, to: known.file)
        }
    }

    /// Bytes that are read or written at once, about.
    private static let portionSize = 1 << 18

    /// The same as of all small files in this folder.
    private var lockPath: String { (path as NSString).deletingLastPathComponent + "/.lock" }

    private func openFile(_ path: String) throws -> CInt {
        _ = try PrivateFile.makeFolder(of: path)
        let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(errno) }
        return file
    }

    private func write(_ text: String, to file: CInt) throws {
        let end = lseek(file, 0, SEEK_END)
        var bytes = Array(text.utf8)
        var last: UInt8 = 0
        // A line that the machine did not survive ends here.
        if end > 0, pread(file, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
            bytes.insert(UInt8(ascii: "\n"), at: 0)
        }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
            if count < 0 {
                let code = errno
                if code == EINTR { continue }
                ftruncate(file, end)
                throw failure(code)
            }
            done += count
        }
    }

    /// All lines.
    ///
    /// - Returns: Lines without their ends; none if there is no file.
    /// - Throws: `CocoaError` that names the file.
    func lines() throws -> [Substring.UTF8View] {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return []
        } catch {
            throw failure(EIO)
        }
        return String(decoding: data, as: UTF8.self)[...].utf8.split(separator: UInt8(ascii: "\n"))
    }

    /// The lines that begin with some letters, and all of some groups, without ever holding the others.
    ///
    /// - Parameters:
    ///   - letters: The letters.
    ///   - groups: The groups.
    /// - Returns: Lines without their ends; none if there is no file.
    /// - Throws: `CocoaError` that names the file.
    func lines(of letters: String, allOf groups: Set<UUID> = []) throws -> [Substring.UTF8View] {
        let wanted = Set(letters.utf8)
        let names = groups.map { Array($0.uuidString.utf8) }
        var found: [UInt8] = []
        try forEachLine { line in
            guard let first = line.first else { return }
            // A name is behind a letter and a space.
            guard wanted.contains(first) || names.contains(where: { line.dropFirst(2).starts(with: $0) }) else {
                return
            }
            found += line
            found.append(UInt8(ascii: "\n"))
        }
        return String(decoding: found, as: UTF8.self)[...].utf8.split(separator: UInt8(ascii: "\n"))
    }

    /// Shows line after line, without ever holding more than some.
    ///
    /// - Parameter body: Is shown each line that is not empty, without its end.
    /// - Throws: `CocoaError` that names the file; what the body throws.
    private func forEachLine(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if file < 0, errno == ENOENT { return }
        guard file >= 0 else { throw failure(errno) }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: Self.portionSize)
        var filled = 0
        while true {
            if filled == buffer.count { buffer += [UInt8](repeating: 0, count: buffer.count) }
            let count = buffer.withUnsafeMutableBytes { bytes in
                read(file, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure(errno) }
            let isAtEnd = count == 0
            filled += count
            let taken = try buffer.withUnsafeBytes { bytes in
                var start = 0
                while start < filled {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<filled])
                    let end = rest.baseAddress.flatMap { first in
                        memchr(first, CInt(UInt8(ascii: "\n")), rest.count).map { UnsafeRawPointer($0) - first }
                    }
                    // The last line may have no end.
                    guard let length = end ?? (isAtEnd ? rest.count : nil) else { break }
                    if length > 0 { try body(UnsafeRawBufferPointer(rebasing: rest.prefix(length))) }
                    start += length + 1
                }
                return min(start, filled)
            }
            if isAtEnd { return }
            buffer.replaceSubrange(0..<(filled - taken), with: Array(buffer[taken..<filled]))
            filled -= taken
        }
    }

    /// Puts the file in order while nobody adds to it.
    ///
    /// - Parameter shortening: Which of the lines stay.
    /// - Throws: `CocoaError` that names the file; then it is as it was.
    func shorten(_ shortening: HistoryShortening) throws {
        let file = PrivateFile(path: path)
        try file.exclusively {
            var shortening = shortening
            try forEachLine { shortening.note($0) }
            guard let stays = shortening.decided() else { return }
            let old = try openFile(path)
            defer { close(old) }
            try file.replace { write in
                var portion = Data()
                try forEachLine { line in
                    guard stays(line) else { return }
                    portion.append(contentsOf: line)
                    portion.append(UInt8(ascii: "\n"))
                    guard portion.count >= Self.portionSize else { return }
                    try write(portion)
                    portion.removeAll(keepingCapacity: true)
                }
                try write(portion)
            }
            // Whoever has it open sees by this that it is no longer the history.
            ftruncate(old, 0)
        }
    }

    private func failure(_ code: CInt) -> CocoaError {
        let reason = String(cString: strerror(code)).lowercased()
        return .location(path, "the history can't be used (\(reason))", "look at the file, or set FERRY_HISTORY=off")
    }
}
