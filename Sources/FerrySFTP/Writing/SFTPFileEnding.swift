import FerryCore
import Foundation

/// The last requests about a written file, sent in one go: what it gets besides its content, what it is then, and that it is
/// closed.
struct SFTPFileEnding: Sendable {
    private let setting: SFTPPendingAnswer?
    private let owning: SFTPPendingAnswer?
    private let synchronizing: SFTPPendingAnswer?
    private let looking: SFTPPendingAnswer
    private let closing: SFTPPendingAnswer?

    /// Sends the requests.
    ///
    /// - Parameters:
    ///   - handle: The file.
    ///   - attributes: The attributes that it gets.
    ///   - options: The options, which say if it must be on the disk.
    ///   - line: The line.
    init(_ handle: SFTPHandle, attributes: SFTPAttributes, _ options: WriteOptions, _ line: SFTPLine) {
        let connection = handle.connection
        // A change of the owner may take away permission bits: so they come after it.
        owning = attributes.owner.map { connection.begin(.fsetstat(handle.name, SFTPAttributes(owner: $0))) }
        var rest = attributes
        rest.owner = nil
        setting = rest == SFTPAttributes() ? nil : connection.begin(.fsetstat(handle.name, rest))
        let syncs = options.synchronizes && line.facts.has(.fsync)
        synchronizing = syncs ? connection.begin(.fsync(handle.name)) : nil
        looking = connection.begin(.fstat(handle.name))
        closing = handle.beginClosing()
    }

    /// Waits for all of it.
    ///
    /// - Returns: The file as it is now.
    /// - Throws: `SFTPRefusal`, but not where only the owner can't be kept, which takes a superuser, nor where the server
    ///   sets no attributes at all: the content is what was to be kept.
    func finish() async throws -> SFTPAttributes {
        do {
            try await owning?.success()
        } catch is SFTPRefusal {
            // It stays with who has written it.
        }
        do {
            try await setting?.success()
        } catch let refusal as SFTPRefusal where [.unsupported, .permissionDenied].contains(refusal.code) {
            // The new state is in the answer to the question behind it.
        }
        try await synchronizing?.success()
        let attributes = try await looking.attributes()
        try await closing?.success()
        return attributes
    }
}
