import Foundation
import NIOCore

/// A server, or several, that are reached without a proxy: an entry of `NO_PROXY`.
public struct HTTPProxyException: Sendable, Hashable {
    private enum Servers: Hashable {
        case all
        /// A name, and all below it.
        case name(String)
        /// Addresses that have the first bits in common.
        case addresses([UInt8], bits: Int)
    }

    private let servers: Servers
    private let port: Int?

    /// Reads an entry.
    ///
    /// - Parameter text: `example.com`, `.example.com`, `*.example.com`, `10.1.2.3`, `10.0.0.0/8`, `[::1]`, `fc00::/7`, or
    ///   `*`; with `:port` behind it for one port only. `nil` if it is none of them.
    public init?(_ text: String) {
        let text = text.lowercased()
        if let servers = Self.servers(text) {
            (self.servers, port) = (servers, nil)
            return
        }
        // The remaining text has a port.
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]),
            let servers = Self.servers(String(text[..<colon]))
        else { return nil }
        (self.servers, self.port) = (servers, Int(port))
    }

    private static func servers(_ text: String) -> Servers? {
        if text == "*" { return .all }
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let first = parts.first, let address = bytes(of: String(first)) {
            let most = address.count * 8
            guard parts.count == 2 else { return .addresses(address, bits: most) }
            return Int(parts[1]).flatMap { (0...most).contains($0) ? .addresses(address, bits: $0) : nil }
        }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text.drop { $0 == "." }
        guard !name.isEmpty, !name.contains(where: { "/:[]*".contains($0) }) else { return nil }
        return .name(String(name.last == "." ? name.dropLast() : name))
    }

    /// Returns whether a server is one of them.
    ///
    /// - Parameters:
    ///   - host: Its name in ASCII, or its address without brackets.
    ///   - port: Its port.
    /// - Returns: `true` if it is.
    public func matches(host: String, port: Int) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        switch servers {
        case .all: return true
        case .name(let name):
            let host = host.lowercased()
            let known = host.last == "." ? String(host.dropLast()) : host
            return known == name || known.hasSuffix(".\(name)")
        case .addresses(let address, let bits):
            guard let other = Self.bytes(of: host), other.count == address.count else { return false }
            return (0..<bits).allSatisfy { bit in
                let mask = UInt8(0x80) >> (bit % 8)
                return address[bit / 8] & mask == other[bit / 8] & mask
            }
        }
    }

    private static func bytes(of text: String) -> [UInt8]? {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let text = (isBracketed ? text.dropFirst().dropLast() : text[...]).prefix { $0 != "%" }
        return switch try? SocketAddress(ipAddress: String(text), port: 0) {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        default: nil
        }
    }
}
