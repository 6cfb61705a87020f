import FerryCore
import Foundation
import Logging
import Synchronization

/// A server as all connections to it know it: where it is, who we are there, and what was learnt.
final class FTPServer: Sendable {
    let address: FTPAddress
    let options: FTPOptions
    let credential: FileProviderCredential?
    let logger: Logger
    private let facts = Mutex(FTPServerFacts())
    private let written = Mutex<[(path: ItemPath, time: ContinuousClock.Instant)]>([])
    private let withoutPermissions = Mutex<Set<ItemPath>>([])

    init(_ address: FTPAddress, credential: FileProviderCredential?, options: FTPOptions, logger: Logger) {
        (self.address, self.credential, self.options, self.logger) = (address, credential, options, logger)
    }

    /// The known facts.
    var known: FTPServerFacts { facts.withLock { $0 } }

    /// Remembers something.
    func learn(_ change: (inout FTPServerFacts) -> Void) {
        facts.withLock { change(&$0) }
    }

    /// Remembers a file that was written just now.
    func note(written path: ItemPath) {
        written.withLock { files in
            if files.count >= 64 { files.removeFirst() }
            files.append((path, .now))
        }
    }

    /// Returns whether a path is that of a file which was written through this provider in the last seconds.
    ///
    /// Attributes are set right after writing: then nobody needs to be asked what kind of item that is, which on servers
    /// without `MLST` costs a listing of the folder. It is said once for each file.
    func takeWritten(_ path: ItemPath) -> Bool {
        written.withLock { files in
            guard let index = files.lastIndex(where: { $0.path == path }) else { return false }
            return .now - files.remove(at: index).time < .seconds(10)
        }
    }

    /// Forgets which files were written just now, since something else may be at such a path from now on.
    func forgetWritten() { written.withLock { $0 = [] } }

    /// Remembers a folder in which permissions of a file that was written just now could not be set.
    func note(refusingPermissionsIn folder: ItemPath) {
        withoutPermissions.withLock { if $0.count < 10_000 { $0.insert(folder) } }
    }

    /// Returns whether permissions of a file that was written just now could not be set in a folder: then those of the others
    /// can't be set either, and nobody needs to ask for each.
    func refusesPermissions(in folder: ItemPath) -> Bool { withoutPermissions.withLock { $0.contains(folder) } }

    /// Our password; `nil` for none.
    var password: String? {
        switch credential?.secret {
        case .password(let password)?, .token(let password)?: password
        case .oauth?, nil: nil
        }
    }

    /// The path that an item has on the server.
    ///
    /// - Parameter item: The item.
    /// - Returns: An absolute path.
    /// - Throws: `CocoaError.fileWriteInvalidFileName` for a name that can't be one there; `.featureUnsupported` for an
    ///   identifier.
    func path(of item: ItemPath) throws -> FTPPath {
        if item.beginsWithIdentifier { throw CocoaError.unsupported("addressing by identifier", path: item) }
        let slash = UInt8(ascii: "/")
        var bytes: [UInt8] = []
        if !address.isAbsolute {
            bytes = known.entryPath
            while bytes.last == slash { bytes.removeLast() }
        }
        for name in address.names { bytes += [slash] + name }
        for component in item.components {
            guard let name = try? options.encoding.encode(component) else {
                throw Self.badName(item, "the encoding of the server's names lacks one of its characters")
            }
            if name.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D || $0 == slash }) {
                throw Self.badName(item, "a name can't hold a slash, a line break or a NUL on an FTP server")
            }
            if name == Array(".".utf8) || name == Array("..".utf8) {
                throw Self.badName(item, "the server would take the name for another folder")
            }
            bytes += [slash] + name
        }
        if let last = bytes.last, [0x20, 0x09, 0x0B, 0x0C].contains(last), known.isPureFTPd {
            throw Self.badName(item, "the server would take the space at the end of the name for an underscore")
        }
        return FTPPath(item: item, bytes: bytes.isEmpty ? [slash] : bytes)
    }

    private static func badName(_ path: ItemPath, _ words: String) -> CocoaError {
        .file(.fileWriteInvalidFileName, path: path, description: words)
    }
}
