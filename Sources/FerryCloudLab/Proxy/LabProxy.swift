#if os(Linux)
import FerryLoopback
public import Foundation
import NIOCore

/// A proxy for clients whose hosts are fixed: it answers for the real services' hosts, with certificates of its own, and
/// refuses all others.
///
/// A client needs `HTTPS_PROXY` set to ``url`` and has to trust ``certificatePEM`` (`SSL_CERT_FILE`).
public final class LabProxy: Sendable {
    /// The address of the proxy.
    public let url: URL
    /// The certificate of the authority, made for this proxy only.
    public let certificatePEM: String

    private let listening: Task<Void, Never>

    private init(url: URL, certificatePEM: String, listening: Task<Void, Never>) {
        self.url = url
        self.certificatePEM = certificatePEM
        self.listening = listening
    }

    deinit { listening.cancel() }

    /// Starts a proxy on a port that the kernel chooses.
    static func start(hosts: Set<String>, dispatcher: LabDispatcher) async throws -> LabProxy {
        let authority = try ProxyAuthority(hosts: Array(hosts))
        let listener = try await LoopbackListener { channel in
            let handler = ConnectHandler(hosts: hosts, context: authority.context, on: channel.eventLoop) {
                dispatcher.refuse(target: $0)
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        // The proxy lives until `stop`, which ends this task and all that it has started.
        let listening = Task<Void, Never> {
            await listener.serve { channel in
                let connected = try await channel.eventLoop.submit {
                    try channel.pipeline.syncOperations.handler(type: ConnectHandler.self).connection
                }.get()
                try await channel.setOption(.autoRead, value: true).get()
                try await connected.get().executeThenClose { inbound, outbound in
                    try await LabConnection.serve(inbound, outbound, dispatcher)
                }
            }
        }
        let port = listener.port
        let url = URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/")
        return LabProxy(url: url, certificatePEM: authority.certificatePEM, listening: listening)
    }

    /// Stops listening, and closes all connections; returns when that is done.
    public func stop() async {
        listening.cancel()
        await listening.value
    }
}

extension CloudLab {
    /// Starts a proxy for clients whose hosts are fixed, such as rclone.
    ///
    /// - Returns: The proxy, listening; it must be stopped before the lab.
    /// - Throws: An error of the system if there is no port, or of libcrypto if there is no certificate.
    public func startProxy() async throws -> LabProxy {
        try await LabProxy.start(hosts: Set(dispatcher.hosts), dispatcher: dispatcher)
    }
}
#endif
