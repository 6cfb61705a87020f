import CCurl
import Foundation

/// The sockets that libcurl has had made for a connection, and has not closed.
///
/// Used by the connection's thread only. A descriptor's number is given to somebody else as soon as it is closed, so
/// that only those that are still in here may be touched.
final class CurlSockets {
    private var controls: Set<Int32> = []

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - address: Of which kind.
    ///   - isControl: `true` if it is for the control connection.
    ///   - isBrief: `true` if the system should take little from the line before it is read.
    /// - Returns: The descriptor; -1 where the system has none.
    func open(_ address: curl_sockaddr, isControl: Bool, isBrief: Bool) -> Int32 {
        let descriptor = socket(address.family, address.socktype, address.protocol)
        guard descriptor >= 0 else { return -1 }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if isControl { controls.insert(descriptor) }
        if isBrief, !isControl {
            var size = Int32(32 << 10)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        return descriptor
    }

    /// Closes a socket.
    ///
    /// - Parameter descriptor: The descriptor.
    /// - Returns: 0, or -1 where the system refuses.
    func close(_ descriptor: Int32) -> Int32 {
        controls.remove(descriptor)
        return Foundation.close(descriptor)
    }

    /// Ends the control connection, without a word to the server.
    func endControl() {
        for descriptor in controls { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }

    /// Has libcurl close sockets through this object.
    func attach(to handle: CurlLibrary.Handle, _ curl: CurlLibrary) {
        let onClose: @convention(c) (UnsafeMutableRawPointer?, curl_socket_t) -> Int32 = { pointer, descriptor in
            guard let pointer else { return Foundation.close(descriptor) }
            return Unmanaged<CurlSockets>.fromOpaque(pointer).takeUnretainedValue().close(descriptor)
        }
        let own = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        curl.set(CURLOPT_CLOSESOCKETDATA, pointer: own, of: handle)
        curl.set(
            CURLOPT_CLOSESOCKETFUNCTION,
            function: unsafeBitCast(onClose, to: (@convention(c) () -> Void).self),
            of: handle
        )
    }
}
