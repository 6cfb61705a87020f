import Foundation

/// Ports of 127.0.0.1 that nobody listens on.
enum FreePorts {
    /// Finds some, all different; somebody else may be faster to take one.
    static func find(_ count: Int) throws -> [Int] {
        let sockets = (0..<count).map { _ in socket(AF_INET, stream, 0) }
        defer { sockets.forEach { close($0) } }
        return try sockets.map { socket in
            var address = loopback(port: 0)
            let isBound = withAddress(&address) { bind(socket, $0, $1) } == 0
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isKnown =
                withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
                } == 0
            guard isBound, isKnown else { throw RealServerError(description: "no free port on 127.0.0.1") }
            return Int(UInt16(bigEndian: address.sin_port))
        }
    }

    /// Returns whether somebody listens on a port.
    static func isListening(_ port: Int) -> Bool {
        let socket = socket(AF_INET, stream, 0)
        defer { close(socket) }
        var address = loopback(port: UInt16(port))
        return withAddress(&address) { connect(socket, $0, $1) } == 0
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        return address
    }

    private static func withAddress(
        _ address: inout sockaddr_in,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
