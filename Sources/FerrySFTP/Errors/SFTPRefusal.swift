public import FerryCore
public import Foundation

/// A request that a server has refused; what it means depends on what was asked for.
struct SFTPRefusal: Error, Hashable {
    let status: SFTPStatus

    var code: SFTPStatus.Code { status.code }
}

/// A server's own answer, when it was not the one we wanted: the underlying error of what a caller sees.
public struct SFTPServerError: LocalizedError, Sendable, Hashable {
    /// The status code (draft-ietf-secsh-filexfer-02, section 7).
    public let code: UInt32

    /// The item that the request was about.
    public let path: ItemPath

    /// The server's own words, text only and bounded; empty if it gave none.
    public let serverDescription: String

    /// The server's words, or the code.
    public var errorDescription: String? { serverDescription.isEmpty ? "SFTP status \(code)" : serverDescription }
}
