import Foundation

/// Gives a copy what its original has besides content: owner, extended attributes, permissions and dates.
struct AttributeCopier: Sendable {
    let methods: CopyMethods

    /// Counts what can't be kept; `nil` where nobody asks.
    var job: Job?

    /// Only root can give files away.
    private static let isRoot = geteuid() == 0
    private static let ownUser = geteuid()
    private static let ownGroup = getegid()

    /// Copies the attributes of a file or folder, the dates last.
    ///
    /// Attributes that the target's storage has no space for, or that only its owner may set, are left out, as `cp -a`
    /// does.
    ///
    /// - Parameters:
    ///   - source: The open original.
    ///   - status: Its known status.
    ///   - target: The open copy, with its content.
    ///   - inherits: `true` if the copy may have got a group or permissions from its folder.
    ///   - mode: The permissions that the copy is known to have.
    /// - Throws: The system's error.
    func copy(
        from source: Descriptor,
        _ status: FileStatus,
        to target: Descriptor,
        inherits: Bool = true,
        mode: mode_t? = nil
    ) throws(Errno) {
        let changesOwner = Self.isRoot && (inherits || status.user != Self.ownUser || status.group != Self.ownGroup)
        if changesOwner { try ignoringRefusal { () throws(Errno) in try target.setOwner(status.user, status.group) } }
        let hasMore = try copyExtendedAttributes(from: source, to: target)
        if inherits || hasMore || changesOwner || mode != status.permissions {
            try target.setPermissions(status.permissions)
        }
        try target.setDates(accessed: status.accessed, modified: status.modified)
    }

    /// Copies the attributes of what can't be opened: a link, a pipe, a device.
    func copy(_ status: FileStatus, to folder: Descriptor, _ name: RawName) throws(Errno) {
        if Self.isRoot {
            try ignoringRefusal { () throws(Errno) in try folder.setOwner(of: name, status.user, status.group) }
        }
        if !status.isLink { try folder.setPermissions(of: name, status.permissions) }
        try folder.setDates(of: name, accessed: status.accessed, modified: status.modified)
    }

    /// Gives new content the attributes of the file that it replaces, except dates.
    func adopt(from old: Descriptor, _ status: FileStatus, by new: Descriptor) throws(Errno) {
        var keepsOwner = true
        do {
            try new.setOwner(status.user, status.group)
        } catch {
            keepsOwner = status.user == Self.ownUser
        }
        _ = try copyExtendedAttributes(from: old, to: new)
        // Another owner's set-user-id would make our content run as us.
        try new.setPermissions(keepsOwner ? status.permissions : status.permissions & 0o777)
    }

    /// The attributes that the system or a file system sets by itself, or only root may: nobody misses them in a copy.
    private static let systems = ["security.", "trusted.", "system."].map { $0.utf8.map(CChar.init) }

    /// Access lists among them, which are missed all the same.
    private static let accessLists = "system.posix_acl".utf8.map(CChar.init)

    /// - Returns: `true` if there were any.
    private func copyExtendedAttributes(from source: Descriptor, to target: Descriptor) throws(Errno) -> Bool {
        guard methods.hasExtendedAttributes else { return false }
        let names: [RawName]
        do {
            names = try source.extendedAttributeNames()
        } catch let error where error.isUnsupported || error.isAny(of: EPERM, EACCES, EBADF) {
            methods.hasExtendedAttributes = false
            return false
        }
        var isRefused = false
        for name in names {
            do {
                try target.setExtendedAttribute(name, try source.extendedAttribute(name))
            } catch {
                // Vanished meanwhile, not ours to set, no room for it, or unknown there.
                guard error.isUnsupported || error.isAny(of: EPERM, EACCES, ENODATA, ERANGE, E2BIG, ENOSPC, EDQUOT)
                else { throw error }
                isRefused = isRefused || (!error.isAny(of: ENODATA) && !Self.isSystems(name))
            }
        }
        if isRefused { job?.countRefusedAttributes() }
        return !names.isEmpty
    }

    private static func isSystems(_ name: RawName) -> Bool {
        systems.contains { name.starts(with: $0) } && !name.starts(with: accessLists)
    }

    private func ignoringRefusal(_ body: () throws(Errno) -> Void) throws(Errno) {
        do {
            try body()
        } catch let error where error.isAny(of: EPERM, EACCES, EINVAL, EOPNOTSUPP) {
            return
        }
    }
}
