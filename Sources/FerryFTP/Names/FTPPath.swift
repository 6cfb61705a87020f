import FerryCore

/// A path as the server sees it, and the item that it stands for.
struct FTPPath: Sendable, Hashable {
    /// The item.
    let item: ItemPath

    /// The path's bytes in the server's encoding, absolute as a rule.
    let bytes: [UInt8]

    /// Indicates whether libcurl can be asked to transfer the file: it takes no control characters in a URL.
    var isTransferable: Bool { !bytes.contains { $0 < 0x20 } }

    /// The path as the path of an FTP URL, each byte percent-encoded that could mean something else (RFC 1738 §3.2.2).
    ///
    /// A slash in it is encoded where it begins the path: after the URL's own slash it says that the path is absolute.
    var urlPath: String {
        let hex = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                text.append(byte)
            case UInt8(ascii: "/") where index > 0: text.append(byte)
            default: text += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
