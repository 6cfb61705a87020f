import FerryCore
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Finds out why a server's certificate was refused.
///
/// BoringSSL says only that it was. So whoever must tell the user looks at the certificates once more, on a connection
/// of their own that says nothing, and trusts nothing: it is closed before its handshake is over.
struct CertificateDiagnosis: Sendable {
    private let tls: TLSConfiguration
    private let timeout: TimeAmount

    init(tls: TLSConfiguration, timeout: TimeAmount) {
        var tls = tls
        // Our identity is none of this server's business.
        tls.certificateChain = []
        tls.privateKey = nil
        self.tls = tls
        self.timeout = min(timeout, .seconds(5))
    }

    /// Makes an error more exact.
    ///
    /// - Parameters:
    ///   - error: The error that was found at first.
    ///   - origin: The origin whose certificate it is about.
    /// - Returns: The error, with `.serverCertificateHasBadDate` or `.serverCertificateNotYetValid` if that is why.
    func refine(_ error: URLError, of origin: String) async -> URLError {
        guard let url = URL(string: origin), let host = url.host() else { return error }
        let certificates = await certificates(host: host, port: url.port ?? 443)
        let now = Date.now.timeIntervalSince1970
        if certificates.contains(where: { Double($0.notValidAfter) < now }) {
            return .answer(
                .serverCertificateHasBadDate,
                description: "the server's certificate has expired",
                underlying: error
            )
        }
        if certificates.contains(where: { Double($0.notValidBefore) > now }) {
            return .answer(
                .serverCertificateNotYetValid,
                description: "the server's certificate isn't valid yet",
                underlying: error
            )
        }
        return error
    }

    private func certificates(host: String, port: Int) async -> [NIOSSLCertificate] {
        let seen = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: [NIOSSLCertificate].self)
        do {
            let context = try NIOSSLContext(configuration: tls)
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(timeout)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context,
                            serverHostname: isAddress ? nil : host,
                            customVerificationCallback: { certificates, verdict in
                                seen.succeed(certificates)
                                verdict.succeed(.failed)
                            }
                        )
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port)
                .get()
            channel.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
            // If it ends before there was a certificate, there is none.
            channel.closeFuture.whenComplete { _ in seen.succeed([]) }
            let certificates = try await seen.futureResult.get()
            channel.close(promise: nil)
            return certificates
        } catch {
            // The error that was found at first is the one that the caller gets to see.
            seen.succeed([])
            return []
        }
    }
}
