import CCurl
import FerryCore
import Foundation

/// A control connection, with libcurl's handles that hold it.
///
/// Used by one thread at a time: the connection's own.
final class CurlConnection {
    /// How a call went, as far as libcurl can say.
    struct Outcome {
        let code: UInt32
        let message: String
        let replies: [FTPReply]
        let wasStale: Bool
        /// Indicates whether lines came that are no reply.
        let hasNonsense: Bool
        let hasTimedOut: Bool
        /// The error of the system's last call, if there was one.
        let systemError: Int
        /// The folder in which the login began.
        let entryPath: [UInt8]?
    }

    private let curl: CurlLibrary
    private let address: FTPAddress
    private let options: FTPOptions
    private let user: String?
    private let password: String?
    private let easy: CurlLibrary.Handle
    private let multi: CurlLibrary.Handle
    private var hasConnected = false
    /// The control connection's socket between two calls, while libcurl keeps it.
    private var controlSocket: curl_socket_t?

    /// Prepares a connection; nothing is sent.
    ///
    /// - Throws: `CocoaError.featureUnsupported` where there is no libcurl.
    init(_ address: FTPAddress, user: String?, password: String?, options: FTPOptions) throws {
        guard let curl = CurlLibrary.loaded else {
            throw CocoaError(
                .featureUnsupported,
                userInfo: [
                    NSLocalizedDescriptionKey: "FTP needs libcurl, 7.77 or newer, which is not on this machine",
                    NSLocalizedRecoverySuggestionErrorKey: "install it: on Debian the package is libcurl4",
                ]
            )
        }
        guard let easy = curl.easyInit(), let multi = curl.multiInit() else {
            throw CocoaError(.fileReadUnknown, userInfo: [NSLocalizedDescriptionKey: "libcurl has no memory"])
        }
        (self.curl, self.address, self.options) = (curl, address, options)
        (self.user, self.password, self.easy, self.multi) = (user, password, easy, multi)
    }

    deinit {
        // Without this libcurl would say QUIT, and wait for the answer of a server that may never give one.
        if let controlSocket { shutdown(controlSocket, Int32(SHUT_RDWR)) }
        curl.easyCleanup(easy)
        _ = curl.multiCleanup(multi)
    }

    /// Makes a call, and waits for its end.
    ///
    /// - Parameters:
    ///   - call: The call. The first one logs in.
    ///   - cancellation: Ends it.
    ///   - receiver: Takes what is downloaded.
    ///   - sender: Gives what is uploaded.
    /// - Returns: How it went.
    /// - Throws: `CancellationError`.
    func perform(
        _ call: CurlCall,
        cancellation: FTPCancellation,
        receiver: CurlExchange.Receiver? = nil,
        sender: CurlExchange.Sender? = nil
    ) throws -> Outcome {
        let exchange = CurlExchange(call, mayConnect: !hasConnected, receiver: receiver, sender: sender)
        curl.easyReset(easy)
        setConnection()
        exchange.attach(to: easy, curl)
        var lists: [CurlLibrary.List] = []
        defer { for list in lists { curl.listFree(list) } }
        set(call, &lists)
        let (code, hasTimedOut) = try run(exchange, patience: call.patience, cancellation)
        if code == CURLE_OK.rawValue { hasConnected = true }
        return Outcome(
            code: code,
            message: curl.message(code),
            replies: exchange.replies,
            wasStale: exchange.wasStale,
            hasNonsense: exchange.hasNonsense,
            hasTimedOut: hasTimedOut,
            systemError: curl.number(CURLINFO_OS_ERRNO, of: easy),
            entryPath: curl.text(CURLINFO_FTP_ENTRY_PATH, of: easy)
        )
    }

    private func run(
        _ exchange: CurlExchange,
        patience: Duration,
        _ cancellation: FTPCancellation
    ) throws -> (code: UInt32, hasTimedOut: Bool) {
        // A call that doesn't end by itself has its connection closed, and the number is another socket's then.
        controlSocket = nil
        guard curl.multiAdd(multi, easy) == 0 else { return (CURLE_FAILED_INIT.rawValue, false) }
        defer { _ = curl.multiRemove(multi, easy) }
        let address = UInt(bitPattern: multi)
        let wakeup = curl.multiWakeup
        return try cancellation.waking {
            if let multi = CurlLibrary.Handle(bitPattern: address) { _ = wakeup(multi) }
        } _: {
            var running: Int32 = 1
            while true {
                if cancellation.isCancelled { throw CancellationError() }
                let knewPort = exchange.namesPort
                _ = curl.multiPerform(multi, &running)
                // 7.88.1 waits for nothing at all then: it connects for data when it is called again.
                if exchange.namesPort, !knewPort { continue }
                var waiting: Int32 = 0
                if let message = curl.multiInfo(multi, &waiting), message.pointee.msg == CURLMSG_DONE {
                    controlSocket = curl.socket(CURLINFO_ACTIVESOCKET, of: easy)
                    return (ferry_curl_result(message).rawValue, false)
                }
                let quiet = ContinuousClock.now - exchange.lastActivity
                guard quiet < patience else { return (CURLE_OPERATION_TIMEDOUT.rawValue, true) }
                // It may wait for nothing at other times, too.
                let wait = min(max(quiet, .milliseconds(5)), .seconds(1), patience - quiet)
                _ = curl.multiPoll(multi, nil, 0, Int32(wait / .milliseconds(1)) + 1, nil)
            }
        }
    }
}

// MARK: - Options

extension CurlConnection {
    /// The newest version of TLS with which this libcurl loses no data connection.
    private var isLimitedTo12: Bool {
        options.tlsMaximum.map { $0 == .tls12 } ?? (curl.version < Self.firstWithSound13)
    }

    /// 8.23: 7.88.1 loses FTPS data connections with TLS 1.3, and bytes of uploads.
    private static let firstWithSound13: UInt32 = 0x081700

    private static let systemCertificates = "/etc/ssl/certs"

    /// Sets the options that hold for all calls of the connection.
    private func setConnection() {
        curl.set(CURLOPT_NOSIGNAL, 1, of: easy)
        if options.readsNetrc, password == nil {
            // 1 is CURL_NETRC_OPTIONAL: what is not in the file is as without it, anonymous.
            curl.set(CURLOPT_NETRC, 1, of: easy)
            if let user { curl.set(CURLOPT_USERNAME, user, of: easy) }
        } else {
            curl.set(CURLOPT_USERNAME, user ?? "anonymous", of: easy)
            curl.set(CURLOPT_PASSWORD, password ?? (user == nil ? "anonymous@" : ""), of: easy)
        }
        // 2 is CURLFTPMETHOD_NOCWD: paths are absolute, and we say ourselves when to change folders.
        curl.set(CURLOPT_FTP_FILEMETHOD, 2, of: easy)
        // A server could have us connect to somebody else (RFC 2577 §3): data always comes from its own address.
        curl.set(CURLOPT_FTP_SKIP_PASV_IP, 1, of: easy)
        curl.set(CURLOPT_FTP_USE_EPSV, options.disablesEPSV ? 0 : 1, of: easy)
        curl.set(CURLOPT_IGNORE_CONTENT_LENGTH, 1, of: easy)
        curl.set(CURLOPT_TCP_KEEPALIVE, 1, of: easy)
        curl.set(CURLOPT_PROXY, options.proxy ?? "", of: easy)
        if options.proxy != nil { curl.set(CURLOPT_HTTPPROXYTUNNEL, 1, of: easy) }
        if options.isActive {
            curl.set(CURLOPT_FTPPORT, "-", of: easy)
            curl.set(CURLOPT_FTP_USE_EPRT, options.disablesEPSV ? 0 : 1, of: easy)
        }
        guard address.security != .none else { return }
        // 3 is CURLUSESSL_ALL, 2 is CURLFTPAUTH_TLS.
        curl.set(CURLOPT_USE_SSL, 3, of: easy)
        curl.set(CURLOPT_FTPSSLAUTH, 2, of: easy)
        // 6 is CURL_SSLVERSION_TLSv1_2, 6 << 16 its like for the newest one.
        curl.set(CURLOPT_SSLVERSION, isLimitedTo12 ? 6 | 6 << 16 : 6, of: easy)
        if let file = options.certificateFile { curl.set(CURLOPT_CAINFO, file, of: easy) }
        if options.certificateFile != nil, options.trustsSystem {
            curl.set(CURLOPT_CAPATH, Self.systemCertificates, of: easy)
        } else if options.certificateFile != nil {
            curl.set(CURLOPT_CAPATH, pointer: nil, of: easy)
        }
        if let file = options.clientCertificateFile {
            curl.set(CURLOPT_SSLCERT, file, of: easy)
            curl.set(CURLOPT_SSLKEY, options.clientKeyFile ?? file, of: easy)
        }
    }

    /// Sets the options of this call.
    private func set(_ call: CurlCall, _ lists: inout [CurlLibrary.List]) {
        let seconds = Int(call.patience.components.seconds) + 1
        curl.set(CURLOPT_CONNECTTIMEOUT_MS, (seconds + 1) * 1000, of: easy)
        curl.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, seconds + 1, of: easy)
        curl.set(CURLOPT_BUFFERSIZE, call.isBrief ? 16 << 10 : 256 << 10, of: easy)
        add(call.commands, as: CURLOPT_QUOTE, mayFail: true, &lists)
        add(call.immediately, as: CURLOPT_PREQUOTE, mayFail: false, &lists)
        var path = ""
        switch call.transfer {
        case .none: curl.set(CURLOPT_NOBODY, 1, of: easy)
        case .listing(let command):
            command.bytes.withNulTerminated { curl.set(CURLOPT_CUSTOMREQUEST, pointer: $0, of: easy) }
        case .retrieval(let file): path = file.urlPath
        case .storing(let file, let length, let appends):
            path = file.urlPath
            curl.set(CURLOPT_UPLOAD, 1, of: easy)
            curl.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10, of: easy)
            curl.set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1, of: easy)
            if appends { curl.set(CURLOPT_APPEND, 1, of: easy) }
        }
        let scheme = address.security == .implicit ? "ftps" : "ftp"
        curl.set(CURLOPT_URL, "\(scheme)://\(address.urlHost):\(address.port)/\(path)", of: easy)
    }

    private func add(
        _ commands: [FTPCommand],
        as option: CURLoption,
        mayFail: Bool,
        _ lists: inout [CurlLibrary.List]
    ) {
        var list: CurlLibrary.List?
        for command in commands {
            // An asterisk lets libcurl go on after a refusal, and keep the connection.
            let bytes = (mayFail ? [UInt8(ascii: "*")] : []) + command.bytes
            bytes.withNulTerminated { list = curl.listAppend(list, $0) ?? list }
        }
        guard let list else { return }
        lists.append(list)
        curl.set(option, pointer: list, of: easy)
    }
}

extension [UInt8] {
    /// The bytes as a C string.
    fileprivate func withNulTerminated<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
            // There is at least the NUL.
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}
