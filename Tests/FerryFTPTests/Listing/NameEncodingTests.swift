import FerryCore
import FerryTestKit
import Foundation
import Testing

@testable import FerryFTP

@Suite("Names in a server's encoding")
struct NameEncodingTests {
    @Test(
        "of any bytes come back as they were",
        arguments: ["utf-8", "iso-8859-1", "windows-1252", "koi8-r", "shift_jis", "gbk"]
    )
    func roundTrips(_ encoding: String) async throws {
        let encoding = try FTPNameEncoding(named: encoding)
        var generator = SeededGenerator(seed: 7)
        for number in 0..<2_000 {
            if number % 100 == 0 { await Task.yield() }
            let bytes = (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                UInt8.random(in: 1...255, using: &generator)
            }
            let name = encoding.decode(bytes)
            #expect(try encoding.encode(name) == bytes, "\(bytes)")
        }
    }

    @Test("are shown as the letters that they are")
    func decodes() throws {
        let latin = try FTPNameEncoding(named: "iso-8859-1")
        #expect(latin.decode([0x66, 0xFC, 0x72]) == "für")
        #expect(try latin.encode("für") == [0x66, 0xFC, 0x72])
        let japanese = try FTPNameEncoding(named: "shift_jis")
        #expect(japanese.decode([0x93, 0xFA, 0x96, 0x7B]) == "日本")
        #expect(try japanese.encode("日本") == [0x93, 0xFA, 0x96, 0x7B])
        #expect(FTPNameEncoding.utf8.decode(Array("日本".utf8)) == "日本")
    }

    @Test("that the encoding has no letters for are refused")
    func refuses() throws {
        let latin = try FTPNameEncoding(named: "iso-8859-1")
        #expect(throws: FTPNameEncoding.Unwritable.self) { try latin.encode("日本") }
    }

    @Test("that nobody knows are no encoding")
    func unknown() {
        #expect(throws: CocoaError.self) { try FTPNameEncoding(named: "klingon") }
    }
}
