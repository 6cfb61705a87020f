import Foundation

/// The file that what was done is written to, line by line, by any number of processes at once.
///
/// A line is the kernel's before what it is about is done: a process that is killed loses nothing of it. All of this waits
/// for the disk: call it through ``BlockingWork``.
struct HistoryFile: Sendable {
    /// The file, absolute.
    let path: String

    /// Bytes that it has.
    var size: Int64 {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Adds lines, all or none.
    ///
    /// - Parameter lines: What to add.
    /// - Throws: `CocoaError` that names the file.
    func append(_ lines: [HistoryLine]) throws {
        let text = try lines.map { try $0.text() + "\n" }.joined()
        try PrivateFile(path: path).exclusively {
            let file = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw failure(errno) }
            defer { close(file) }
            try write(text, to: file)
        }
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

    /// Puts the file in order while nobody adds to it.
    ///
    /// - Parameter keep: Which of the lines stay.
    /// - Throws: `CocoaError` that names the file; then it is as it was.
    func rewrite(_ keep: ([Substring.UTF8View]) throws -> [Substring.UTF8View]) throws {
        let file = PrivateFile(path: path)
        try file.exclusively {
            let all = try lines()
            let kept = try keep(all)
            if kept.count == all.count { return }
            try file.replace(with: Data(kept.map { String(Substring($0)) + "\n" }.joined().utf8))
        }
    }

    private func failure(_ code: CInt) -> CocoaError {
        let reason = String(cString: strerror(code)).lowercased()
        return .location(path, "the history can't be used (\(reason))", "look at the file, or set FERRY_HISTORY=off")
    }
}
