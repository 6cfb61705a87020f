import Testing

@testable import FerryCloudLab

@Suite("Content hashes")
struct CloudHashTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let dropbox: String
        let quickXor: String
        let sha1: String
        var testDescription: String { name }
    }

    static let pattern = {
        let period = (0..<251).map { UInt8($0) }
        var bytes: [UInt8] = []
        // A period at a time: unoptimized, a loop over bytes takes a second.
        while bytes.count <= 4 << 20 { bytes += period }
        return Array(bytes.prefix((4 << 20) + 1))
    }()
    static let vectors = [
        Vector(
            name: "empty",
            bytes: [],
            dropbox: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            quickXor: "AAAAAAAAAAAAAAAAAAAAAAAAAAA=",
            sha1: "da39a3ee5e6b4b0d3255bfef95601890afd80709"
        ),
        Vector(
            name: "a",
            bytes: Array("a".utf8),
            dropbox: "bf5d3affb73efd2ec6c36ad3112dd933efed63c4e1cbffcfa88e2759c144f2d8",
            quickXor: "YQAAAAAAAAAAAAAAAQAAAAAAAAA=",
            sha1: "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8"
        ),
        Vector(
            name: "hello",
            bytes: Array("hello".utf8),
            dropbox: "9595c9df90075148eb06860365df33584b75bff782a510c6cd4883a419833d50",
            quickXor: "aCgDG9jwBgAAAAAABQAAAAAAAAA=",
            sha1: "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
        ),
        Vector(
            name: "1000 bytes",
            bytes: Array(pattern.prefix(1000)),
            dropbox: "c88e98bd565d6e001a0a37ac287032e1183923f35f6fde42c14210cbe2098d7c",
            quickXor: "KbphcpColXb1/3Wm950vUzeX1es=",
            sha1: "c9c960a0b925474fab83942cc27d504fc24ac37b"
        ),
        Vector(
            name: "4 MiB + 1",
            bytes: pattern,
            dropbox: "4a6cc0a344febaa07772e7c974834b2fb1d24594d4ba15f27c97a54699709f44",
            quickXor: "ioSd5jqMngMiBI1oi0Dt4uyCyGo=",
            sha1: "b4af8f5269b5a9aede8417cf4f698f4d9c65b23a"
        ),
    ]

    @Test("equal those of the vectors, whatever the pieces", arguments: vectors)
    func vector(_ vector: Vector) {
        var hasher = CloudHasher([.dropbox, .quickXor, .sha1])
        let cut = min(vector.bytes.count, 70_001)
        hasher.update(CloudContent(vector.bytes[..<cut]))
        hasher.update(CloudContent(vector.bytes[cut...]))
        #expect(
            hasher.finalize() == [.dropbox: vector.dropbox, .quickXor: vector.quickXor, .sha1: vector.sha1]
        )
    }
}
