#if canImport(Darwin)
import Darwin

extension MemoryPressure {
    /// Returns whether the system has warned that memory is short.
    ///
    /// - Returns: `false` also where the system doesn't tell.
    static func systemIsShort() -> Bool {
        var level: Int32 = 0
        var size = MemoryLayout<Int32>.size
        // 1 is normal, 2 a warning, 4 critical.
        guard sysctlbyname("kern.memorystatus_vm_pressure_level", &level, &size, nil, 0) == 0 else { return false }
        return level >= 2
    }
}
#endif
