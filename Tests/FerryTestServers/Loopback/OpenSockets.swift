import Foundation

/// How many sockets of this process are connected to a port, whether the other side is still there or not: who closes
/// what has broken leaves none.
///
/// - Parameter port: The other side's port, on any address of IPv4.
/// - Returns: Their number; 0 also where the system doesn't tell (proc(5), proc_net(5)).
public func openSocketCount(to port: Int) -> Int {
    // `FileManager.contents` takes the first page for all of what has no size.
    let table = (try? FileHandle(forReadingAtPath: "/proc/self/net/tcp")?.readToEnd()) ?? Data()
    let lines = String(decoding: table, as: UTF8.self).split(separator: "\n").dropFirst()
    let inodes = lines.compactMap { line -> Substring? in
        let columns = line.split(separator: " ")
        guard columns.count > 9, let remote = columns[2].split(separator: ":").last else { return nil }
        guard Int(remote, radix: 16) == port else { return nil }
        return columns[9]
    }
    let wanted = Set(inodes.map { "socket:[\($0)]" })
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.count { descriptor in
        guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + descriptor)
        else { return false }
        return wanted.contains(link)
    }
}
