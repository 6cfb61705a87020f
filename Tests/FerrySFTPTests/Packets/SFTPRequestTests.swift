import FerryCore
import Foundation
import NIOCore
import Testing

@testable import FerrySFTP

@Suite("SFTP messages")
struct SFTPRequestTests {
    private static let path = SFTPPath("/a".utf8)

    @Test(
        "a request is length, type, id and its fields",
        arguments: [
            (.close([7, 8]), "0000000b 04 00000005 00000002 0708"),
            (.lstat(path), "0000000b 07 00000005 00000002 2f61"),
            (.read([9], offset: 258, length: 3), "00000016 05 00000005 00000001 09 0000000000000102 00000003"),
            (
                .write([9], offset: 1, ByteBuffer(bytes: [1, 2])),
                "00000018 06 00000005 00000001 09 0000000000000001 00000002 0102"
            ),
            (
                .open(path, [.write, .create, .exclusive], SFTPAttributes(mode: 0o600)),
                "00000017 03 00000005 00000002 2f61 0000002a 00000004 00000180"
            ),
            (.mkdir(path), "0000000f 0e 00000005 00000002 2f61 00000000"),
            (.rename(path, to: SFTPPath("b".utf8)), "00000010 12 00000005 00000002 2f61 00000001 62"),
            // OpenSSH wants the text before the link, against the draft.
            (.symlink(path, text: [0x78]), "00000010 14 00000005 00000001 78 00000002 2f61"),
            (
                .setstat(path, SFTPAttributes(times: .init(accessed: 1, modified: 2))),
                "00000017 09 00000005 00000002 2f61 00000008 00000001 00000002"
            ),
            (.fsync([1]), "0000001f c8 00000005 00000011 6673796e63406f70656e7373682e636f6d 00000001 01"),
        ] as [(SFTPRequest, String)]
    )
    func encoding(_ request: SFTPRequest, _ bytes: String) {
        let message = request.message(id: 5)
        #expect(Self.hexadecimal(message) == bytes.filter { $0 != " " })
    }

    private static func hexadecimal(_ buffer: ByteBuffer) -> String {
        buffer.readableBytesView.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test("attributes are read as they are written")
    func attributes() throws {
        let all = SFTPAttributes(
            size: 1 << 40,
            owner: .init(user: 1000, group: 100),
            mode: 0o100644,
            times: .init(accessed: .max, modified: 0)
        )
        for attributes in [all, SFTPAttributes(), SFTPAttributes(mode: 0o040755)] {
            var buffer = ByteBuffer()
            attributes.write(to: &buffer)
            #expect(try SFTPAttributes(from: &buffer) == attributes)
            #expect(buffer.readableBytes == 0)
        }
    }

    @Test("attributes of extensions are skipped")
    func extendedAttributes() throws {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(0x8000_0004))
        buffer.writeInteger(UInt32(0o100600))
        buffer.writeInteger(UInt32(1))
        buffer.writeField("name".utf8)
        buffer.writeField("value".utf8)
        let attributes = try SFTPAttributes(from: &buffer)
        #expect(attributes.kind == .file)
        #expect(attributes.permissions == 0o600)
        #expect(buffer.readableBytes == 0)
    }

    @Test("a date is rounded down to seconds, and none before 1970 or after 2106 can be said")
    func dates() {
        #expect(SFTPAttributes.Times(modified: .init(timeIntervalSince1970: 1.9))?.modified == 1)
        #expect(SFTPAttributes.Times(modified: .init(timeIntervalSince1970: 4_294_967_295))?.modified == .max)
        #expect(SFTPAttributes.Times(modified: .init(timeIntervalSince1970: 4_294_967_296)) == nil)
        #expect(SFTPAttributes.Times(modified: .init(timeIntervalSince1970: -1)) == nil)
    }

    @Test("a status has its words without control characters")
    func status() throws {
        var buffer = ByteBuffer()
        buffer.writeInteger(UInt32(4))
        buffer.writeField("No\u{1B}[31m room\n".utf8)
        buffer.writeField("en".utf8)
        let status = try SFTPStatus(from: &buffer)
        #expect(status == SFTPStatus(.failure, "No[31m room"))
    }
}
