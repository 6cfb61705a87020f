public import Foundation

/// The authorities whose certificates are trusted.
public struct HTTPTrust: Sendable, Hashable {
    let includesSystem: Bool
    let authorities: [HTTPCertificateSource]

    /// The authorities that the system believes.
    public static let system = HTTPTrust(includesSystem: true, authorities: [])

    /// The authorities that the system believes, and some more.
    ///
    /// - Parameter authorities: Their certificates.
    /// - Returns: The setting.
    public static func system(and authorities: [HTTPCertificateSource]) -> HTTPTrust {
        HTTPTrust(includesSystem: true, authorities: authorities)
    }

    /// Some authorities, and nobody else.
    ///
    /// - Parameter authorities: Their certificates.
    /// - Returns: The setting.
    public static func only(_ authorities: [HTTPCertificateSource]) -> HTTPTrust {
        HTTPTrust(includesSystem: false, authorities: authorities)
    }
}

/// The place of certificates.
public enum HTTPCertificateSource: Sendable, Hashable {
    /// Certificates in PEM, one after the other.
    case pem(Data)
    /// One certificate in DER.
    case der(Data)
    /// The path of a file with certificates in PEM, or one in DER; a transport reads it when it is made.
    case file(String)

    /// The bytes, read from the file if it is one.
    var data: Data {
        get throws {
            switch self {
            case .pem(let data), .der(let data): data
            case .file(let path): try Data(contentsOf: URL(filePath: path))
            }
        }
    }
}

/// A certificate that proves to servers who we are, and its key.
public struct HTTPClientCertificate: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let chain: HTTPCertificateSource
    let key: HTTPCertificateSource

    /// Makes one.
    ///
    /// - Parameters:
    ///   - chain: The certificate, and behind it those that vouch for it, if servers need them.
    ///   - key: Its private key, in PEM or DER, not encrypted.
    public init(chain: HTTPCertificateSource, key: HTTPCertificateSource) {
        self.chain = chain
        self.key = key
    }

    /// A description without the key.
    public var description: String { "HTTPClientCertificate(key: <redacted>)" }

    /// The same, for whoever looks inside.
    public var customMirror: Mirror { Mirror(self, children: ["key": "<redacted>"]) }
}
