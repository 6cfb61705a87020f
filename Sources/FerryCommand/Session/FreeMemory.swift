#if os(Linux)
import CFerryLinux
#endif

/// The memory that buffers leave behind.
enum FreeMemory {
    /// Keeps some of it for the next buffers.
    ///
    /// The allocator of Linux gives each large buffer back to the system, which clears its pages for the next one: when
    /// contents pass, that costs half of what writing them does.
    static func keep() {
        #if os(Linux)
        // Where that can't be said, it only takes longer.
        _ = ferry_keep_free_memory(2 << 20, 1 << 20)
        #endif
    }
}
