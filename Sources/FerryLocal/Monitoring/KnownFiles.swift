/// Which files are in which folder: twelve bytes for each, at most three quarters of the slots full.
///
/// Of a name only a hash is kept, with a seed that nobody knows: two names of one folder have the same once in some 10^19.
struct KnownFiles {
    private static let empty = UInt32.max

    private var hashes: ContiguousArray<UInt64> = []
    private var folders: ContiguousArray<UInt32> = []
    private(set) var count = 0

    /// Bytes that it takes.
    var footprint: Int {
        hashes.capacity * MemoryLayout<UInt64>.stride + folders.capacity * MemoryLayout<UInt32>.stride
    }

    /// Returns whether a file is known.
    func contains(_ name: some Sequence<UInt8>, in folder: UInt32) -> Bool {
        slot(Self.hash(name, folder), folder) != nil
    }

    /// Adds a file.
    ///
    /// - Returns: `true` if it was not known.
    mutating func insert(_ name: some Sequence<UInt8>, in folder: UInt32) -> Bool {
        let hash = Self.hash(name, folder)
        if slot(hash, folder) != nil { return false }
        if (count + 1) * 4 > hashes.count * 3 { rebuild(max(16, hashes.count * 2)) { _ in true } }
        place(hash, folder)
        count += 1
        return true
    }

    /// Takes a file out.
    ///
    /// - Returns: `true` if it was known.
    mutating func remove(_ name: some Sequence<UInt8>, in folder: UInt32) -> Bool {
        guard var hole = slot(Self.hash(name, folder), folder) else { return false }
        count -= 1
        let mask = hashes.count - 1
        var next = hole
        while true {
            next = (next + 1) & mask
            if folders[next] == Self.empty { break }
            let home = Int(truncatingIfNeeded: hashes[next]) & mask
            if (next &- home) & mask >= (next &- hole) & mask {
                hashes[hole] = hashes[next]
                folders[hole] = folders[next]
                hole = next
            }
        }
        folders[hole] = Self.empty
        return true
    }

    /// Forgets the files of folders that are gone: looks at all.
    ///
    /// - Parameter isGone: Returns `true` if a folder is gone.
    mutating func removeAll(in isGone: (UInt32) -> Bool) {
        rebuild(hashes.count) { !isGone($0) }
    }

    private static func hash(_ name: some Sequence<UInt8>, _ folder: UInt32) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(folder)
        hasher.combine(name: name)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private func slot(_ hash: UInt64, _ folder: UInt32) -> Int? {
        if hashes.isEmpty { return nil }
        let mask = hashes.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while folders[index] != Self.empty {
            if hashes[index] == hash, folders[index] == folder { return index }
            index = (index + 1) & mask
        }
        return nil
    }

    private mutating func place(_ hash: UInt64, _ folder: UInt32) {
        let mask = hashes.count - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while folders[index] != Self.empty { index = (index + 1) & mask }
        hashes[index] = hash
        folders[index] = folder
    }

    private mutating func rebuild(_ size: Int, keeping keeps: (UInt32) -> Bool) {
        let (oldHashes, oldFolders) = (hashes, folders)
        hashes = ContiguousArray(repeating: 0, count: size)
        folders = ContiguousArray(repeating: Self.empty, count: size)
        count = 0
        for (hash, folder) in zip(oldHashes, oldFolders) where folder != Self.empty && keeps(folder) {
            place(hash, folder)
            count += 1
        }
    }
}

extension Hasher {
    /// Adds the bytes of a name, all at once.
    mutating func combine(name: some Sequence<UInt8>) {
        let isDone: Void? = name.withContiguousStorageIfAvailable { combine(bytes: UnsafeRawBufferPointer($0)) }
        if isDone == nil { Array(name).withUnsafeBytes { combine(bytes: $0) } }
    }
}
