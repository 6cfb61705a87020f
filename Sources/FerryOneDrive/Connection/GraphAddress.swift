import FerryCore

/// An item's address below that of the API: by its identifier, or by a path from an item whose identifier is known.
///
/// See <https://learn.microsoft.com/graph/onedrive-addressing-driveitems>.
struct GraphAddress: Sendable, Hashable {
    /// The drive, such as `/me/drive` or `/drives/b!abc`, percent-encoded.
    let drive: String

    /// The item, such as `/root` or `/items/01ABC`, percent-encoded.
    private let item: String

    /// The path below the item, such as `/A/B.txt`, percent-encoded; empty for the item itself.
    private let path: String

    /// Makes the address of an item by its identifier.
    ///
    /// - Parameters:
    ///   - drive: The drive, percent-encoded.
    ///   - id: The item's identifier; `root` for the top.
    init(drive: String, id: String) {
        self.drive = drive
        item = id == "root" ? "/root" : "/items/" + Self.encoded(id)
        path = ""
    }

    private init(drive: String, item: String, path: String) {
        self.drive = drive
        self.item = item
        self.path = path
    }

    /// Returns the address of an item in this folder.
    ///
    /// - Parameter name: The name as the service has it.
    /// - Returns: The address.
    func appending(_ name: String) -> GraphAddress {
        GraphAddress(drive: drive, item: item, path: "\(path)/\(Self.encoded(name))")
    }

    /// A Boolean value that indicates whether it is by a path.
    var isByPath: Bool { !path.isEmpty }

    /// Returns the path and query of a request.
    ///
    /// - Parameters:
    ///   - route: The route below the item, such as `/children`; empty for the item itself.
    ///   - query: The names and values of the query; names are taken as they are.
    /// - Returns: Such as `/me/drive/root:/A/B.txt:/content?name=value`.
    func route(_ route: String = "", _ query: [(String, String)] = []) -> String {
        var text = drive + item
        if isByPath { text += ":" + path + (route.isEmpty ? "" : ":") }
        return text + route + Self.query(query)
    }

    /// Returns a query.
    ///
    /// - Parameter query: The names and values; names are taken as they are.
    /// - Returns: With its question mark; empty for none.
    static func query(_ query: [(String, String)]) -> String {
        query.isEmpty ? "" : "?" + query.map { "\($0.0)=\(encoded($0.1, besides: ",$()@."))" }.joined(separator: "&")
    }

    /// Encodes a text for a segment of a path, or a value of a query.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - allowed: The characters that stay besides letters, digits and `-._~!`.
    /// - Returns: The text, percent-encoded.
    static func encoded(_ text: String, besides allowed: String = "") -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: bytes.append(byte)
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "!"):
                bytes.append(byte)
            case _ where allowed.utf8.contains(byte): bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
