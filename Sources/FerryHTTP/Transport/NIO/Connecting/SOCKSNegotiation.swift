import FerryCore
import Foundation
import NIOCore

/// Has a SOCKS 5 proxy make a tunnel (RFC 1928); the proxy looks up the name.
struct SOCKSNegotiation: TunnelNegotiation {
    private let host: String
    private let port: Int
    /// User and password.
    private let login: (user: String, password: String)?
    private var buffer = ByteBuffer()
    private var state = State.greeting

    private enum State {
        case greeting
        case login
        case request
    }

    init(host: String, port: Int, user: String?, password: String?) {
        (self.host, self.port) = (host, port)
        login = user.map { ($0, password ?? "") }
    }

    mutating func begin() -> ByteBuffer { ByteBuffer(bytes: login == nil ? [5, 1, 0] : [5, 2, 0, 2]) }

    mutating func receive(_ bytes: ByteBuffer) throws -> TunnelStep {
        buffer.writeImmutableBuffer(bytes)
        if state != .request {
            guard let answer = buffer.readBytes(length: 2) else { return .wait }
            switch (state, answer[1]) {
            case (.greeting, 2):
                guard let login else { throw Self.refused("it asks for a login") }
                state = .login
                return .send(try Self.request(for: login))
            case (.greeting, 0), (.login, 0):
                state = .request
                return .send(try request())
            case (.greeting, _): throw Self.refused("it asks for another login")
            default:
                throw URLError.answer(.userAuthenticationRequired, description: "the proxy takes no such login")
            }
        }
        // Version, answer, a reserved byte, and the address that it is bound to.
        guard let head = buffer.getBytes(at: buffer.readerIndex, length: 5) else { return .wait }
        guard head[0] == 5, head[1] == 0 else { throw Self.refused("answer \(head[1])") }
        let length =
            switch head[3] {
            case 1: 4 + 4 + 2
            case 3: 4 + 1 + Int(head[4]) + 2
            case 4: 4 + 16 + 2
            default: throw Self.refused("its answer makes no sense")
            }
        guard buffer.readableBytes >= length else { return .wait }
        buffer.moveReaderIndex(forwardBy: length)
        return .open(buffer)
    }

    mutating func closed() -> any Error { Self.refused("it has closed the connection") }

    /// The login (RFC 1929).
    private static func request(for login: (user: String, password: String)) throws -> ByteBuffer {
        var request = ByteBuffer(bytes: [1])
        for text in [login.user, login.password] {
            guard let length = UInt8(exactly: text.utf8.count) else { throw Self.refused("the login is too long") }
            request.writeInteger(length)
            request.writeString(text)
        }
        return request
    }

    private func request() throws -> ByteBuffer {
        var request = ByteBuffer(bytes: [5, 1, 0])
        switch try? SocketAddress(ipAddress: host, port: port) {
        case .v4(let address):
            request.writeInteger(UInt8(1))
            withUnsafeBytes(of: address.address.sin_addr) { _ = request.writeBytes($0) }
        case .v6(let address):
            request.writeInteger(UInt8(4))
            withUnsafeBytes(of: address.address.sin6_addr) { _ = request.writeBytes($0) }
        default:
            guard let length = UInt8(exactly: host.utf8.count) else { throw Self.refused("the name is too long") }
            request.writeInteger(UInt8(3))
            request.writeInteger(length)
            request.writeString(host)
        }
        request.writeInteger(UInt16(truncatingIfNeeded: port))
        return request
    }

    private static func refused(_ why: String) -> URLError {
        .answer(.cannotConnectToHost, description: "the proxy makes no connection to the server (\(why))")
    }
}
