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
    /// After so long a job ends that does nothing; one that works may share the processor with others.
    private static let patience: Int64 = 4_400_000_000
    /// So much of the processor's time is work.
    private static let leastWork: Int64 = 4_000_000
    /// Nanoseconds after which a job without any work is idle: among ever so many others it would have done some.
    private static let idleTime: Int64 = 1_500_000_000
    /// After so long it ends, though others may have kept it from the processor.
    private static let longest: Int64 = 60_000_000_000

    private static let startedAt = Atomic<Int64>(0)
    private static let pausedAt = Atomic<Int64>(0)
    private static let lastWork = Atomic<Int64>(0)
    private static let workedAt = Atomic<Int64>(0)

    /// Starts to watch a job.
    static func start() {
        let time = now(CLOCK_MONOTONIC)
        startedAt.store(time, ordering: .sequentiallyConsistent)
        workedAt.store(time, ordering: .sequentiallyConsistent)
        pausedAt.store(0, ordering: .sequentiallyConsistent)
        let work = now(CLOCK_PROCESS_CPUTIME_ID)
        lastWork.store(work, ordering: .sequentiallyConsistent)
        signal(SIGALRM) { _ in JobClock.tick() }
        set(ITIMER_PROF, microseconds: processorMicroseconds)
        set(ITIMER_REAL, microseconds: 400_000, repeats: true)
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
        let paused = pausedAt.exchange(0, ordering: .sequentiallyConsistent)
        guard paused != 0 else { return }
        let time = now(CLOCK_MONOTONIC)
        workedAt.store(time, ordering: .sequentiallyConsistent)
        startedAt.add(time - paused, ordering: .sequentiallyConsistent)
    }

    private static func tick() {
        let started = startedAt.load(ordering: .sequentiallyConsistent)
        guard started != 0, pausedAt.load(ordering: .sequentiallyConsistent) == 0 else { return }
        let time = now(CLOCK_MONOTONIC)
        let work = now(CLOCK_PROCESS_CPUTIME_ID)
        if work - lastWork.load(ordering: .sequentiallyConsistent) > leastWork {
            lastWork.store(work, ordering: .sequentiallyConsistent)
            workedAt.store(time, ordering: .sequentiallyConsistent)
        }
        let isIdle = time - workedAt.load(ordering: .sequentiallyConsistent) > idleTime
        let taken = time - started
        if taken > longest || (taken > patience && isIdle) { _exit(ProgramEnding.tooSlow.rawValue) }
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
