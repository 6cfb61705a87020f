import NIOCore

/// The first messages of both sides (section 4).
struct SFTPVersion: Sendable, Hashable {
    /// The version of the protocol; this client speaks 3.
    let number: UInt32

    /// The server's extensions, with their versions, by their names.
    let extensions: [String: String]

    init(number: UInt32, extensions: [String: String] = [:]) {
        self.number = number
        self.extensions = extensions
    }

    init(from message: inout ByteBuffer) throws {
        number = try message.readNumber()
        var extensions: [String: String] = [:]
        while message.readableBytes > 0 {
            let name = String(decoding: try message.readField(upTo: 4096), as: UTF8.self)
            extensions[name] = String(decoding: try message.readField(upTo: 4096), as: UTF8.self)
        }
        self.extensions = extensions
    }

    /// Returns whether the server knows an extension, in the version that is meant here.
    func has(_ name: SFTPExtension) -> Bool {
        guard let version = extensions[name.rawValue] else { return false }
        // Two versions of it have other numbers and the same meaning.
        return name == .statvfs || name == .copyData ? ["1", "2"].contains(version) : version == "1"
    }

    /// The message that begins all.
    static var greeting: ByteBuffer {
        var message = ByteBuffer()
        message.writeInteger(UInt32(5))
        message.writeInteger(SFTPMessageType.initialize.rawValue)
        message.writeInteger(UInt32(3))
        return message
    }
}
