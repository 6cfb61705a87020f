/// Where something is kept.
struct CacheLevels: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// In this process, until it ends.
    static let memory = CacheLevels(rawValue: 1 << 0)
    /// In files, for all processes.
    static let disk = CacheLevels(rawValue: 1 << 1)

    static let all: CacheLevels = [.memory, .disk]
}
