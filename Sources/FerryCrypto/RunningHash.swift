#if !canImport(CryptoKit)
import CLibCrypto

/// A hash of bytes that arrive one piece after the other.
///
/// A value: a copy goes on by itself.
package struct RunningHash: Sendable {
    private enum State {
        case check(CyclicRedundancyCheck)
        case hash(HashContext)
        indirect case blocks(BlockwiseHash)
        case folds(QuickXorHash)
    }

    private var state: State

    /// Starts with no bytes.
    ///
    /// - Parameter algorithm: The hash function.
    package init(_ algorithm: HashAlgorithm) {
        state =
            switch algorithm {
            case .crc32: .check(CyclicRedundancyCheck())
            case .dropbox: .blocks(BlockwiseHash())
            case .quickXor: .folds(QuickXorHash())
            case .md5, .sha1, .sha256: .hash(HashContext(algorithm))
            }
    }

    /// Adds bytes behind those added before.
    ///
    /// - Parameter bytes: The bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        switch state {
        case .check(var check):
            check.update(bytes)
            state = .check(check)
        case .blocks(var blocks):
            // Let go of, so that its hashes are not copied.
            state = .check(CyclicRedundancyCheck())
            blocks.update(bytes)
            state = .blocks(blocks)
        case .folds(var folds):
            // Let go of, so that its words are not copied.
            state = .check(CyclicRedundancyCheck())
            folds.update(bytes)
            state = .folds(folds)
        case .hash(var context):
            // Let go of, so that only a copied value is held twice.
            state = .check(CyclicRedundancyCheck())
            if !isKnownUniquelyReferenced(&context) { context = HashContext(copying: context) }
            context.update(bytes)
            state = .hash(context)
        }
    }

    /// Computes the hash of all bytes so far; more can be added afterwards.
    ///
    /// - Returns: The hash; the algorithm says how many bytes it has.
    package func finalize() -> [UInt8] {
        switch state {
        case .check(let check): check.finalize()
        case .blocks(let blocks): blocks.finalize()
        case .folds(let folds): folds.finalize()
        case .hash(let context): HashContext(copying: context).finalize()
        }
    }
}

/// The state of libcrypto's hash function; only a value that holds it alone changes it.
private final class HashContext: @unchecked Sendable {
    private let state: OpaquePointer

    init(_ algorithm: HashAlgorithm) {
        state = Self.make()
        Self.check(EVP_DigestInit_ex(state, Self.functions.pointer(algorithm), nil))
    }

    init(copying other: HashContext) {
        state = Self.make()
        Self.check(EVP_MD_CTX_copy_ex(state, other.state))
    }

    deinit { EVP_MD_CTX_free(state) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        Self.check(EVP_DigestUpdate(state, bytes.baseAddress, bytes.count))
    }

    func finalize() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            Self.check(EVP_DigestFinal_ex(state, buffer.baseAddress, &length))
            count = Int(length)
        }
    }

    private static func make() -> OpaquePointer {
        guard let state = EVP_MD_CTX_new() else { preconditionFailure("no memory for a hash") }
        return state
    }

    /// Stops the program where libcrypto can't compute a hash: no input causes it, only a lack of memory or a libcrypto
    /// that was built without the function, and any other value would pass for the checksum of somebody's file.
    private static func check(_ result: CInt) {
        precondition(result == 1, "libcrypto can't compute this hash")
    }

    /// Looked up once: by name they would be looked up in each new state.
    private struct Functions: @unchecked Sendable {
        // The objects are never changed and never freed.
        private let md5 = Functions.fetch("MD5")
        private let sha1 = Functions.fetch("SHA1")
        private let sha256 = Functions.fetch("SHA256")

        func pointer(_ algorithm: HashAlgorithm) -> OpaquePointer? {
            switch algorithm {
            case .crc32, .dropbox, .quickXor: nil
            case .md5: md5
            case .sha1: sha1
            case .sha256: sha256
            }
        }

        /// Where only approved functions are on (FIPS mode), MD5 is still needed for what is no secret.
        private static func fetch(_ name: String) -> OpaquePointer? {
            EVP_MD_fetch(nil, name, nil) ?? EVP_MD_fetch(nil, name, "-fips")
        }
    }

    private static let functions = Functions()
}
#endif
