import NIOCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A port of 127.0.0.1 that is ours as long as this lives, whether somebody listens on it or not.
///
/// A socket is bound to it that never listens: so clients are refused, and nobody else is given the port. A listener of
/// ours can bind to it as well, with `SO_REUSEADDR`.
public final class ReservedPort: Sendable {
    /// The port.
    public let port: Int

    private let descriptor: CInt

    /// Reserves a free port.
    ///
    /// - Throws: `IOError` if there is none.
    public init() throws {
        #if canImport(Glibc)
        let type = CInt(SOCK_STREAM.rawValue)
        #else
        let type = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, type, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        var one: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, length) == 0 && getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: "bind")
        }
        self.descriptor = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit {
        close(descriptor)
    }
}

extension Channel {
    /// Closes a connection so that the other side sees it reset (RST instead of FIN).
    func closeWithReset() async throws {
        try await eventLoop.flatSubmit {
            guard let socket = self as? any SocketOptionProvider else { return self.close() }
            return socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).flatMap { self.close() }
        }.get()
    }
}
