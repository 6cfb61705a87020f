import FerryCrypto

/// A message authentication code by a hash function (RFC 2104).
struct HMAC {
    private static let blockSize = 64

    private let algorithm: HashAlgorithm
    private let key: [UInt8]

    /// Makes the function of a key.
    ///
    /// - Parameters:
    ///   - algorithm: The hash function, whose blocks have 64 bytes.
    ///   - key: The key, of any length.
    init(_ algorithm: HashAlgorithm, key: [UInt8]) {
        self.algorithm = algorithm
        let short = key.count > Self.blockSize ? algorithm.hash(key) : key
        self.key = short + [UInt8](repeating: 0, count: Self.blockSize - short.count)
    }

    /// Computes the code of a message.
    ///
    /// - Parameter message: The message.
    /// - Returns: As many bytes as the hash has.
    func code(of message: [UInt8]) -> [UInt8] {
        let inner = algorithm.hash(key.map { $0 ^ 0x36 } + message)
        return algorithm.hash(key.map { $0 ^ 0x5C } + inner)
    }
}
