import Foundation

/// A socket in one of the system's tables of TCP (proc_net(5)).
struct TableSocket {
    let localPort: Int
    let remotePort: Int
    let isListening: Bool
    /// The text that a descriptor of it links to: `socket:[4711]`.
    let link: String

    /// Reads a row: number, local address, remote one, state (0A: it listens), five others, inode.
    private init?(row: Substring) {
        let columns = row.split(separator: " ")
        guard columns.count > 9, let local = Self.port(columns[1]), let remote = Self.port(columns[2]) else {
            return nil
        }
        (localPort, remotePort, isListening) = (local, remote, columns[3] == "0A")
        link = "socket:[\(columns[9])]"
    }

    private static func port(_ address: Substring) -> Int? {
        address.split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }

    /// Returns the sockets of a table.
    ///
    /// - Parameter table: `tcp` or `tcp6`.
    /// - Returns: All sockets, those that listen first; none where the system has no such table.
    static func all(in table: String) -> [TableSocket] {
        // `FileManager.contents` takes the first page for all of what has no size.
        let rows = (try? FileHandle(forReadingAtPath: "/proc/self/net/\(table)")?.readToEnd()) ?? Data()
        return String(decoding: rows, as: UTF8.self).split(separator: "\n").dropFirst().compactMap { Self(row: $0) }
    }

    /// Returns how many descriptors of this process are sockets over IPv4 of some kind.
    ///
    /// - Parameter isWanted: Returns `true` for those that count.
    /// - Returns: Their number; 0 also where the system does not list them.
    static func ownCount(_ isWanted: (TableSocket) -> Bool) -> Int {
        let wanted = Set(all(in: "tcp").filter(isWanted).map(\.link))
        return links(ofProcess: "self").count { wanted.contains($0) }
    }

    /// Returns the texts that the descriptors of a process link to.
    ///
    /// - Parameter process: Its number, or `self`.
    /// - Returns: None where the system doesn't list them (proc(5)).
    static func links(ofProcess process: String) -> [String] {
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }
}

/// Returns how many sockets of this process are connected to a port, whether the other side is still there or not: one
/// that closes what has broken leaves none.
///
/// - Parameter port: The other side's port, on any address of IPv4.
/// - Returns: Their number; 0 also where the system doesn't list them.
public func openSocketCount(to port: Int) -> Int {
    TableSocket.ownCount { $0.remotePort == port }
}

/// Returns how many sockets of this process are at a port: one that listens, and the connections that it has accepted.
///
/// - Parameter port: Our side's port, on any address of IPv4.
/// - Returns: Their number; 0 also where the system doesn't list them.
public func openSocketCount(at port: Int) -> Int {
    TableSocket.ownCount { $0.localPort == port }
}
