import FerryCore
import NIOCore

extension SFTPPendingAnswer {
    /// Waits until the request has succeeded.
    ///
    /// - Throws: `SFTPRefusal`; why the line has ended; `CancellationError`.
    func success() async throws {
        guard case .status(let status) = try await response() else { return }
        guard status.code == .ok else { throw SFTPRefusal(status: status) }
    }

    /// Waits for attributes.
    func attributes() async throws -> SFTPAttributes {
        switch try await response() {
        case .attributes(let attributes): return attributes
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }

    /// Waits for attributes of an item that may be missing.
    ///
    /// - Returns: `nil` only if the server clearly says that there is no such item.
    func attributesIfThere() async throws -> SFTPAttributes? {
        do {
            return try await attributes()
        } catch let refusal as SFTPRefusal where refusal.code == .noSuchFile {
            return nil
        }
    }

    /// Waits for one name.
    func name() async throws -> [UInt8] {
        switch try await response() {
        case .names(let names): return names.first?.name ?? []
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }

    /// Waits for a part of a listing.
    ///
    /// - Parameter last: The part before, which a server that repeats itself would send for ever.
    /// - Returns: At least one entry, which may be `.` or `..`; `nil` behind the last part.
    /// - Throws: `SFTPProtocolError` for a part that is empty or repeated, and for a name that can't be one;
    ///   `SFTPRefusal`; why the line has ended; `CancellationError`.
    func entries(after last: [SFTPNameEntry]) async throws -> [SFTPNameEntry]? {
        switch try await response() {
        case .names(let entries):
            guard !entries.isEmpty else { throw SFTPProtocolError("an empty part of a listing") }
            guard entries != last else { throw SFTPProtocolError("a listing that repeats itself") }
            guard entries.allSatisfy(\.hasPossibleName) else {
                throw SFTPProtocolError("a listing with a name that can't be one")
            }
            return entries
        case .status(let status) where status.code == .endOfFile: return nil
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }

    /// Waits for what an extension answers.
    func extended() async throws -> ByteBuffer {
        switch try await response() {
        case .extended(let bytes): return bytes
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }

    /// Waits for a file or folder to be open.
    func handle(on connection: SFTPConnection) async throws -> SFTPHandle {
        switch try await response() {
        case .handle(let name): return SFTPHandle(name, on: connection)
        case .status(let status): throw SFTPRefusal(status: status)
        default: throw SFTPProtocolError("an answer of the wrong kind")
        }
    }
}
