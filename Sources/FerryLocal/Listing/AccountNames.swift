import Foundation

/// The names of users and groups.
enum AccountNames {
    /// - Returns: The user's name, or the number if nobody knows it.
    static func user(_ id: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return text(of: id) { start, count in
            guard getpwuid_r(id, &entry, start, count, &found) == 0, found != nil else { return nil }
            return entry.pw_name
        }
    }

    /// - Returns: The group's name, or the number if nobody knows it.
    static func group(_ id: gid_t) -> String {
        var entry = Foundation.group()
        var found: UnsafeMutablePointer<Foundation.group>?
        return text(of: id) { start, count in
            guard getgrgid_r(id, &entry, start, count, &found) == 0, found != nil else { return nil }
            return entry.gr_name
        }
    }

    private static func text(
        of id: UInt32,
        _ look: (UnsafeMutablePointer<CChar>, Int) -> UnsafeMutablePointer<CChar>?
    ) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 * 1024) { buffer in
            buffer.baseAddress.flatMap { look($0, buffer.count) }.map { String(cString: $0) } ?? String(id)
        }
    }
}
