import FerryCore
import Foundation
import NIOCore
import NIOSSL

extension HTTPTransportConfiguration {
    /// The same in NIOSSL's words; reads the files that are named.
    func makeTLSConfiguration() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = minimumTLSVersion == .tls13 ? .tlsv13 : .tlsv12
        let authorities = try trust.authorities.flatMap { try $0.certificates }
        if trust.includesSystem {
            tls.trustRoots = .default
            if !authorities.isEmpty { tls.additionalTrustRoots = [.certificates(authorities)] }
        } else {
            tls.trustRoots = .certificates(authorities)
        }
        if let clientCertificate {
            tls.certificateChain = try clientCertificate.chain.certificates.map { .certificate($0) }
            tls.privateKey = .privateKey(try clientCertificate.key.privateKey)
        }
        return tls
    }
}

extension HTTPCertificateSource {
    fileprivate var isPEM: Bool {
        get throws {
            switch self {
            case .pem: true
            case .der: false
            case .file: try data.range(of: Data("-----BEGIN".utf8)) != nil
            }
        }
    }

    fileprivate var certificates: [NIOSSLCertificate] {
        get throws {
            let bytes = Array(try isPEM ? try data.tidyPEM : try data)
            let certificates =
                try isPEM
                ? NIOSSLCertificate.fromPEMBytes(bytes)
                : [NIOSSLCertificate(bytes: bytes, format: .der)]
            // A file without a certificate is a mistake, and must not turn into trust in nobody, or in everybody.
            guard !certificates.isEmpty else { throw NIOSSLError.failedToLoadCertificate }
            return certificates
        }
    }

    fileprivate var privateKey: NIOSSLPrivateKey {
        get throws {
            try NIOSSLPrivateKey(
                bytes: Array(try isPEM ? try data.tidyPEM : try data),
                format: try isPEM ? .pem : .der
            )
        }
    }
}

extension Duration {
    /// The same in NIO's words; never 0, and a century at most.
    var timeAmount: TimeAmount {
        let nanoseconds = self / .nanoseconds(1)
        return .nanoseconds(Int64(min(max(1, nanoseconds), 3e18)))
    }
}

extension Data {
    /// The text of a PEM file as every parser takes it, whichever system's editor wrote it: without a byte order mark,
    /// with `\n` at the end of each line and nothing before it; itself if it is no text.
    var tidyPEM: Data {
        guard let text = String(validating: self, as: UTF8.self) else { return self }
        let lines = text.withoutByteOrderMark.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return Data(lines.map { $0.trimmingCharacters(in: .whitespaces) + "\n" }.joined().utf8)
    }
}
