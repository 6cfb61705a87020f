import FerryCore
import Foundation

extension FileObject {
    /// An item as the system shows it.
    ///
    /// Called once for each item of a long listing: nothing here allocates, except a long name.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - folder: Where it is.
    ///   - status: Its known status.
    init(name: String, in folder: ItemPath, status: FileStatus) {
        self.init(
            name: name,
            in: folder,
            type: status.kind,
            size: status.isFile ? status.size : nil,
            modifiedDate: Date(status.modified),
            creationDate: status.created.map { Date($0) },
            permissions: status.isLink ? nil : UInt16(truncatingIfNeeded: status.permissions),
            id: status.identity.text,
            eTag: status.isFile ? status.eTag : nil,
            contentType: status.isFile ? ContentType.ofFile(named: name) : nil
        )
        // Few have several names; whoever copies them one by one makes separate files of them.
        if status.isFile, status.linkCount > 1 { extras[.linkCount] = Int64(clamping: status.linkCount) }
    }
}

extension Date {
    init(_ time: timespec) {
        let sinceReference = Double(Int64(time.tv_sec) - 978_307_200)
        self.init(timeIntervalSinceReferenceDate: sinceReference + Double(time.tv_nsec) / 1e9)
    }
}

extension timespec {
    init(_ date: Date) {
        let seconds = date.timeIntervalSinceReferenceDate.rounded(.down)
        let nanoseconds = ((date.timeIntervalSinceReferenceDate - seconds) * 1e9).rounded()
        let whole = Int(clamping: Int64(exactly: seconds) ?? 0) + 978_307_200
        self.init(tv_sec: whole + (nanoseconds >= 1e9 ? 1 : 0), tv_nsec: nanoseconds >= 1e9 ? 0 : Int(nanoseconds))
    }
}

// MARK: - Identifiers and versions

extension FileIdentity {
    /// Major and minor number of the device as `stat` shows them, small for all usual devices.
    private var packedDevice: UInt64 {
        let minor = device & 0xF_FFFF
        return minor & 0xFF | (device >> 20) << 8 | (minor >> 8) << 20
    }

    /// Inode and device in hexadecimal, `1a2b3c-fd01`: up to 15 characters need no memory of their own.
    var text: String {
        let device = packedDevice
        // A text that is made with room for more than 15 bytes takes memory, however short it turns out.
        let length = Digits.count(inode, shift: 4) + 1 + Digits.count(device, shift: 4)
        return String(unsafeUninitializedCapacity: length) { buffer in
            var end = buffer.write(inode, shift: 4, from: 0)
            buffer[end] = UInt8(ascii: "-")
            end += 1
            return buffer.write(device, shift: 4, from: end)
        }
    }
}

extension FileStatus {
    /// Changes when the content does: inode, size and date of the last change, mixed into 13 characters.
    var eTag: String {
        var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
        for part in [identity.inode, UInt64(bitPattern: size)] { hash = Self.mix(hash ^ part) }
        hash = Self.mix(hash ^ UInt64(bitPattern: Int64(modified.tv_sec)))
        hash = Self.mix(hash ^ UInt64(bitPattern: Int64(modified.tv_nsec)))
        return String(unsafeUninitializedCapacity: Digits.count(hash, shift: 5)) { $0.write(hash, shift: 5, from: 0) }
    }

    /// The finaliser of MurmurHash3: every bit of the input changes half of the output's, and none is lost.
    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
        value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return value ^ value >> 33
    }
}

/// Numbers in digits of some bits each.
private enum Digits {
    /// How many a number has; zero has one.
    static func count(_ value: UInt64, shift: Int) -> Int {
        max(1, (64 - value.leadingZeroBitCount + shift - 1) / shift)
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    /// Writes digits, `shift` bits each.
    ///
    /// - Returns: The index behind the last digit.
    fileprivate func write(_ value: UInt64, shift: Int, from start: Int) -> Int {
        let end = start + Digits.count(value, shift: shift)
        let mask = 1 &<< UInt64(shift) &- 1
        var rest = value
        var index = end
        while index > start {
            index -= 1
            let digit = UInt8(truncatingIfNeeded: rest & mask)
            self[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            rest &>>= UInt64(shift)
        }
        return end
    }
}

// MARK: - Details

extension FileObject {
    /// An item with all that is worth asking for when it is the only one.
    ///
    /// - Parameters:
    ///   - path: Where it is.
    ///   - status: Its known status.
    ///   - place: The same, open.
    /// - Throws: The error that keeps a link from being read.
    init(path: ItemPath, status: FileStatus, at place: Place) throws(Errno) {
        self.init(name: path.lastName, in: path.parent, status: status)
        if status.isLink {
            extras[.linkDestination] = try place.folder.linkDestination(place.name).linkText
        }
        extras[.allocatedSize] = status.allocatedSize
        extras[.linkCount] = Int64(clamping: status.linkCount)
        extras[.accessDate] = Date(status.accessed)
        extras[.attributeModificationDate] = Date(status.changed)
        extras[.owner] = AccountNames.user(status.user)
        extras[.group] = AccountNames.group(status.group)
    }
}

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
