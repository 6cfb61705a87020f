import CCurl
import Foundation

/// The data that a call gives to libcurl's callbacks, and that they collect.
///
/// It is used by the connection's thread only, while the call is under way.
final class CurlExchange {
    /// Takes bytes of a transfer; `false` ends it.
    typealias Receiver = (UnsafeRawBufferPointer) -> Bool

    /// Fills a buffer; gives how many bytes, 0 at the end, `nil` to end the transfer.
    typealias Sender = (UnsafeMutableRawBufferPointer) -> Int?

    let receiver: Receiver?
    let sender: Sender?
    private(set) var replies: [FTPReply] = []
    private(set) var lastActivity = ContinuousClock.now

    /// Indicates whether a connection may be made to log in; else a call on a connection that is gone fails before it
    /// is sent.
    let mayConnect: Bool
    private let isBrief: Bool
    /// Indicates whether libcurl wanted to connect anew.
    private(set) var wasStale = false
    /// Indicates whether lines came that are no reply.
    private(set) var hasNonsense = false
    /// Indicates whether the latest reply says where to connect for data.
    private(set) var namesPort = false
    private var assembler = FTPReplyAssembler()
    private var replyBytes = 0

    /// Longer answers come from nobody who means well.
    private static let replyLimit = 4 << 20

    init(_ call: CurlCall, mayConnect: Bool, receiver: Receiver?, sender: Sender?) {
        isBrief = call.isBrief
        self.mayConnect = mayConnect
        self.receiver = receiver
        self.sender = sender
    }

    private func takeReply(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lastActivity = .now
        replyBytes += bytes.count
        guard replyBytes <= Self.replyLimit else { return false }
        if let reply = assembler.add(bytes) {
            replies.append(reply)
            namesPort = reply.code == 227 || reply.code == 229
        } else if !assembler.isInside {
            hasNonsense = true
        }
        return true
    }

    private func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        defer { lastActivity = .now }
        return receiver?(bytes) ?? true
    }

    /// Fills room with what is to be sent: 0 bytes end it well, `nil` ends it as a failure.
    private func send(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        defer { lastActivity = .now }
        guard let sender else { return 0 }
        return sender(room)
    }

    /// A call's first socket before any reply is that of a control connection.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        lastActivity = .now
        // In active mode a socket is made to listen on, at a port that nobody has chosen yet.
        let isListening = withUnsafeBytes(of: address.pointee.addr.sa_data) { $0[0] == 0 && $0[1] == 0 }
        let isControl = replies.isEmpty && !isListening
        if isControl, !mayConnect {
            wasStale = true
            return -1
        }
        let wanted = address.pointee
        let descriptor = socket(wanted.family, wanted.socktype, wanted.protocol)
        guard descriptor >= 0 else { return -1 }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        // The system is to take little from a data connection before it is read.
        if isBrief, !isControl {
            var size = Int32(32 << 10)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        return descriptor
    }
}

// MARK: - The functions that libcurl calls

extension CurlExchange {
    private typealias Pointer = UnsafeMutableRawPointer

    private static func exchange(_ pointer: Pointer?) -> CurlExchange? {
        pointer.map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Gives libcurl this exchange and the functions that lead to it.
    func attach(to handle: CurlLibrary.Handle, _ curl: CurlLibrary) {
        let own = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
        let onReply: @convention(c) (Pointer?, Int, Int, Pointer?) -> Int = { bytes, size, count, pointer in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlExchange.exchange(pointer)?.takeReply(line) == true ? size * count : 0
        }
        let onBytes: @convention(c) (Pointer?, Int, Int, Pointer?) -> Int = { bytes, size, count, pointer in
            let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlExchange.exchange(pointer)?.receive(chunk) == true ? size * count : 0
        }
        let onRoom: @convention(c) (Pointer?, Int, Int, Pointer?) -> Int = { bytes, size, count, pointer in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            // 0x10000000 is CURL_READFUNC_ABORT.
            return CurlExchange.exchange(pointer)?.send(room) ?? 0x1000_0000
        }
        let onSocket: @convention(c) (Pointer?, curlsocktype, UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t = {
            pointer,
            _,
            address in
            guard let address, let exchange = CurlExchange.exchange(pointer) else { return -1 }
            return exchange.open(address)
        }
        curl.set(CURLOPT_HEADERDATA, pointer: own, of: handle)
        curl.set(
            CURLOPT_HEADERFUNCTION,
            function: unsafeBitCast(onReply, to: (@convention(c) () -> Void).self),
            of: handle
        )
        curl.set(CURLOPT_WRITEDATA, pointer: own, of: handle)
        curl.set(
            CURLOPT_WRITEFUNCTION,
            function: unsafeBitCast(onBytes, to: (@convention(c) () -> Void).self),
            of: handle
        )
        curl.set(CURLOPT_READDATA, pointer: own, of: handle)
        curl.set(
            CURLOPT_READFUNCTION,
            function: unsafeBitCast(onRoom, to: (@convention(c) () -> Void).self),
            of: handle
        )
        curl.set(CURLOPT_OPENSOCKETDATA, pointer: own, of: handle)
        curl.set(
            CURLOPT_OPENSOCKETFUNCTION,
            function: unsafeBitCast(onSocket, to: (@convention(c) () -> Void).self),
            of: handle
        )
    }
}
