import CSandbox
import FerryMediaWire
import Glibc
import Synchronization

/// Ends the program when a job takes too long, whatever hangs in it.
///
/// The processor's time is watched by the kernel: `SIGPROF` ends the program. A job that waits for what never comes uses
/// none; a tick of the clock sees it. What the library takes to answer doesn't count: a network may be slow.
enum JobClock {
    /// The most of the processor's time that a job may take.
    static let processorMicroseconds = 4_000_000
    /// The time between two ticks.
    private static let tickMicroseconds = 400_000
    /// The number of ticks in a row without work after which a job ends: 4.4 s.
    ///
    /// Ticks are counted, since a program that is kept from the processor gets at most one.
    private static let mostIdleTicks: Int64 = 11
    /// So much of the processor's time is work.
    private static let leastWork: Int64 = 4_000_000
    /// After so long it ends, though others may have kept it from the processor.
    private static let longest: Int64 = 60_000_000_000

    private static let startedAt = Atomic<Int64>(0)
    private static let pausedAt = Atomic<Int64>(0)
    private static let lastWork = Atomic<Int64>(0)
    private static let idleTicks = Atomic<Int64>(0)

    /// Starts to watch a job.
    static func start() {
        idleTicks.store(0, ordering: .sequentiallyConsistent)
        pausedAt.store(0, ordering: .sequentiallyConsistent)
        let work = now(CLOCK_PROCESS_CPUTIME_ID)
        lastWork.store(work, ordering: .sequentiallyConsistent)
        startedAt.store(now(CLOCK_MONOTONIC), ordering: .sequentiallyConsistent)
        signal(SIGALRM) { _ in JobClock.tick() }
        set(ITIMER_PROF, microseconds: processorMicroseconds)
        set(ITIMER_REAL, microseconds: tickMicroseconds, repeats: true)
        var limit = rlimit(rlim_cur: rlim_t(work / 1_000_000_000 + 6), rlim_max: .max)
        setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
    }

    /// Stops watching.
    static func stop() {
        set(ITIMER_PROF, microseconds: 0)
        set(ITIMER_REAL, microseconds: 0)
        startedAt.store(0, ordering: .sequentiallyConsistent)
    }

    /// Holds the clock while the library is asked.
    static func pause() {
        pausedAt.store(now(CLOCK_MONOTONIC), ordering: .sequentiallyConsistent)
    }

    /// Goes on.
    static func proceed() {
        let paused = pausedAt.load(ordering: .sequentiallyConsistent)
        guard paused != 0 else { return }
        idleTicks.store(0, ordering: .sequentiallyConsistent)
        startedAt.add(now(CLOCK_MONOTONIC) - paused, ordering: .sequentiallyConsistent)
        // Last, since a tick counts from here on.
        pausedAt.store(0, ordering: .sequentiallyConsistent)
    }

    private static func tick() {
        let started = startedAt.load(ordering: .sequentiallyConsistent)
        guard started != 0, pausedAt.load(ordering: .sequentiallyConsistent) == 0 else { return }
        let work = now(CLOCK_PROCESS_CPUTIME_ID)
        if work - lastWork.load(ordering: .sequentiallyConsistent) > leastWork {
            lastWork.store(work, ordering: .sequentiallyConsistent)
            idleTicks.store(0, ordering: .sequentiallyConsistent)
        } else {
            idleTicks.add(1, ordering: .sequentiallyConsistent)
        }
        let isIdle = idleTicks.load(ordering: .sequentiallyConsistent) >= mostIdleTicks
        if isIdle || now(CLOCK_MONOTONIC) - started > longest { _exit(ProgramEnding.tooSlow.rawValue) }
    }

    private static func set(_ timer: __itimer_which, microseconds: Int, repeats: Bool = false) {
        let time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        var value = itimerval(it_interval: repeats ? time : timeval(), it_value: time)
        setitimer(__itimer_which_t(timer.rawValue), &value, nil)
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
