import Foundation

extension timespec {
    /// The clock's idea of now; the file systems' own is some milliseconds behind it.
    static var now: timespec {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now
    }

    func isAfter(_ other: timespec) -> Bool {
        tv_sec != other.tv_sec ? tv_sec > other.tv_sec : tv_nsec > other.tv_nsec
    }

    /// Returns whether it is the same moment, to the nanosecond.
    func isSame(as other: timespec) -> Bool { tv_sec == other.tv_sec && tv_nsec == other.tv_nsec }

    /// The time that a file system may record instead of this: its clock may be some milliseconds behind.
    var beforeTick: timespec {
        let tick = 20_000_000
        if tv_nsec >= tick { return timespec(tv_sec: tv_sec, tv_nsec: tv_nsec - tick) }
        return timespec(tv_sec: tv_sec - 1, tv_nsec: tv_nsec + 1_000_000_000 - tick)
    }
}
