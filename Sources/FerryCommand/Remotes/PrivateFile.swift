import FerryCore
import Foundation

/// A small file of the command's own, which only its owner can read (mode 0600).
///
/// All of this waits for the disk: call it through ``BlockingWork``.
struct PrivateFile: Sendable {
    /// The file, absolute.
    let path: String

    /// More than any person writes.
    private static let maximumSize = 16 << 20

    /// All of it.
    ///
    /// - Returns: Its bytes, or `nil` if there is none.
    /// - Throws: `CocoaError` that names the file.
    func read() throws -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(errno, whileWriting: false)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            let data = try file.read(upToCount: Self.maximumSize + 1) ?? Data()
            guard data.count <= Self.maximumSize else { throw CocoaError(.fileReadTooLarge) }
            return data
        } catch {
            throw CocoaError.location(path, "could not be read", "look at the file")
        }
    }

    /// Replaces all of it; killed at any moment, the file holds the old bytes or the new.
    ///
    /// - Parameter bytes: The bytes that it shall hold.
    /// - Throws: `CocoaError` that names the file; then it is as it was.
    func replace(with bytes: Data) throws {
        try replace { write in try write(bytes) }
    }

    /// Replaces all of it, portion by portion; killed at any moment, the file holds the old bytes or the new.
    ///
    /// - Parameter body: Makes the portions, and writes one after the other with what it is given.
    /// - Throws: `CocoaError` that names the file; what the body throws. Then the file is as it was.
    func replace(_ body: (_ write: (Data) throws -> Void) throws -> Void) throws {
        // A link stays a link: people keep such files in a folder that they share among machines.
        let target =
            realpath(path, nil).map { pointer in
                defer { free(pointer) }
                return String(cString: pointer)
            } ?? path
        let folder = try Self.makeFolder(of: target)
        let temporary = "\(folder)/\(TemporaryName.make(UUID()))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, whileWriting: true) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        func writing(_ step: () throws -> Void) throws {
            do {
                try step()
            } catch {
                throw CocoaError.location(path, "could not be written", "make room, or check its folder's permissions")
            }
        }
        do {
            try body { bytes in try writing { try file.write(contentsOf: bytes) } }
            try writing {
                try file.synchronize()
                try file.close()
            }
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, target) == 0 else {
            let code = errno
            unlink(temporary)
            throw failure(code, whileWriting: true)
        }
    }

    /// Does something while no other process does the same.
    ///
    /// - Parameter body: Reads the file and replaces it.
    /// - Returns: The value that the body returns.
    /// - Throws: Any error that the body throws; `CocoaError` when the folder can't be written.
    func exclusively<Result>(_ body: () throws -> Result) throws -> Result {
        let folder = try Self.makeFolder(of: path)
        let descriptor = open(folder + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(errno, whileWriting: true) }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(errno, whileWriting: true) }
        }
        return try body()
    }

    /// Makes the folder of a file, which only its owner can read.
    ///
    /// - Parameter file: The file, absolute.
    /// - Returns: The folder.
    /// - Throws: `CocoaError` that names the folder.
    static func makeFolder(of file: String) throws -> String {
        let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[..<$0]) } ?? "/"
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw CocoaError.location(folder, "the folder could not be made", "check the permissions above it")
        }
        return folder
    }

    private func failure(_ code: CInt, whileWriting: Bool) -> CocoaError {
        let reason = String(cString: strerror(code)).lowercased()
        return .location(
            path,
            "could not be \(whileWriting ? "written" : "read") (\(reason))",
            "check its permissions and its folder's"
        )
    }
}
