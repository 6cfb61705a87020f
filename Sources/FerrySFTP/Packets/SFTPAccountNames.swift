import NIOCore

/// The names of users and groups: `users-groups-by-id@openssh.com`.
struct SFTPAccountNames: Sendable, Hashable {
    /// In the order in which they were asked for; empty for those that the server doesn't know.
    let users: [String]
    let groups: [String]

    init(from message: inout ByteBuffer) throws {
        users = try Self.names(in: try message.readBufferField())
        groups = try Self.names(in: try message.readBufferField())
    }

    private static func names(in field: ByteBuffer) throws -> [String] {
        var field = field
        var names: [String] = []
        while field.readableBytes > 0 {
            names.append(String(decoding: try field.readField(upTo: 4096), as: UTF8.self))
        }
        return names
    }
}
