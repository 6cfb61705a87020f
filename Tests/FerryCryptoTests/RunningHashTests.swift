import FerryCrypto
import Foundation
import Testing

@Suite("Hashes")
struct RunningHashTests {
    @Test(
        "are those of the standards",
        arguments: [
            // The check value that ISO 3309's is known by; RFC 1321 §A.5; FIPS 180-4's examples.
            (HashAlgorithm.crc32, "", "00000000"), (.crc32, "123456789", "cbf43926"),
            (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
            (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.dropbox, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.dropbox, "abc", "4f8b42c22dd3729b519ba6f68d2da7cc5b2d606d05daed5ad5128cc03e6c6358"),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
    )
    func standards(algorithm: HashAlgorithm, text: String, expected: String) {
        #expect(algorithm.hash(Data(text.utf8)).hexadecimal == expected)
        var pieces = RunningHash(algorithm)
        for byte in text.utf8 {
            withUnsafeBytes(of: byte) { pieces.update($0) }
        }
        #expect(pieces.finalize().hexadecimal == expected)
    }

    @Test("go on after they were asked for, and a copy goes on by itself")
    func copies() {
        func add(_ text: String, to hash: inout RunningHash) {
            Data(text.utf8).withUnsafeBytes { hash.update($0) }
        }
        var hash = RunningHash(.sha256)
        add("a", to: &hash)
        let first = hash.finalize()
        var copy = hash
        add("bc", to: &hash)
        add("x", to: &copy)
        #expect(first == HashAlgorithm.sha256.hash(Data("a".utf8)))
        #expect(hash.finalize() == HashAlgorithm.sha256.hash(Data("abc".utf8)))
        #expect(copy.finalize() == HashAlgorithm.sha256.hash(Data("ax".utf8)))
        #expect(hash.finalize() == hash.finalize())
    }
}

@Suite("AES-256 in counter mode")
struct AES256CTRTests {
    // NIST SP 800-38A §F.5.5.
    private let key = bytes("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    private let counter = bytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")
    private let plain = bytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
    private let encrypted = bytes("601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5")

    @Test("encrypts and decrypts as NIST's example")
    func example() {
        #expect(AES256CTR.apply(to: plain, key: key, counter: counter) == encrypted)
        #expect(AES256CTR.apply(to: encrypted, key: key, counter: counter) == plain)
        #expect(AES256CTR.apply(to: [], key: key, counter: counter) == [])
    }

    @Test("takes no key or counter of another length")
    func lengths() {
        #expect(AES256CTR.apply(to: plain, key: [1, 2, 3], counter: counter) == nil)
        #expect(AES256CTR.apply(to: plain, key: key, counter: []) == nil)
    }

    private static func bytes(_ digits: String) -> [UInt8] {
        stride(from: 0, to: digits.utf8.count, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
    }
}
