/// The way in which the program ends, when it isn't by the end of its input.
///
/// Another status, or a signal other than the one of the processor's time, means that a decoder broke.
package enum ProgramEnding: Int32, Sendable, Hashable, CaseIterable {
    /// The library said something that is no message.
    case confused = 65
    /// It could not lock itself in, and then touches no file.
    case unsafe = 69
    /// A decoder wanted more memory than the program has, and could not go on without.
    case outOfMemory = 71
    /// A job waited for something that never came, or the machine gave it no time.
    case tooSlow = 75

    /// The signal by which the kernel ends a job that took too much of the processor's time: `SIGPROF`.
    package static let tooBusySignal: Int32 = 27
    /// The signal by which the kernel ends it if the first one was lost: `SIGXCPU`.
    package static let tooBusySignalOfLimit: Int32 = 24
}
