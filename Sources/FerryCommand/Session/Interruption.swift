import Dispatch
import Foundation
import Synchronization

/// Ctrl-C and its kin: the work is cancelled, tidies up, and then the process ends.
enum Interruption {
    /// 128 + the signal's number, as shells count: 130 after Ctrl-C.
    static var exitCode: Int32 { 128 + (received.withLock { $0 } ?? SIGINT) }

    // The process's signals are the one thing that there is only one of.
    private static let received = Mutex<Int32?>(nil)

    /// The action that restores the terminal when the process ends at once.
    private static let lastAct = Mutex<(@Sendable () -> Void)?>(nil)

    /// Says what to do before the process ends at a second signal.
    ///
    /// - Parameter action: Something that waits for nobody.
    static func beforeAbruptEnd(_ action: @escaping @Sendable () -> Void) {
        lastAct.withLock { $0 = action }
    }

    /// Does the command's work in a task that signals cancel; a second signal ends the process at once.
    ///
    /// - Parameter body: The work; it gives the exit code.
    /// - Returns: The exit code, or the signal's if one came.
    static func exitCode(_ body: @escaping @Sendable () async -> Int32) async -> Int32 {
        let work = Task { await body() }
        let sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            source(of: number) {
                let isFirst = received.withLock { signal in
                    defer { signal = number }
                    return signal == nil
                }
                guard isFirst else { end(number) }
                work.cancel()
                // A person who types Ctrl-C can type it again; programs that send these signals can't.
                if number != SIGINT { endLater(number) }
            }
        }
        let code = await work.value
        for source in sources { source.cancel() }
        return received.withLock { $0 } == nil ? code : exitCode
    }

    /// How long the work may take to tidy up after a signal that is sent once.
    private static let patience: TimeInterval = 10

    /// Ends the process at once.
    private static func end(_ number: Int32) -> Never {
        lastAct.withLock { $0 }?()
        _exit(128 + number)
    }

    /// Ends the process if the work doesn't, whatever its threads are waiting for.
    private static func endLater(_ number: Int32) {
        // A thread of its own: those of the system's pool may all be waiting.
        let thread = Thread {
            Thread.sleep(forTimeInterval: patience)
            end(number)
        }
        thread.start()
    }

    /// The handlers' own, since the threads of the others may all be waiting.
    private static let queue = DispatchQueue(label: "ferry.signals", qos: .userInteractive)

    /// Watches a signal, unless whoever started us wants it ignored, as `nohup` does.
    private static func source(
        of number: Int32,
        _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceSignal)? {
        guard !isIgnored(number) else { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: handler)
        // Ignored only when the source is registered: a signal that was ignored before that would be lost. On Linux
        // libdispatch sets a handler of its own as it registers the source.
        #if canImport(Darwin)
        source.setRegistrationHandler { signal(number, SIG_IGN) }
        #endif
        source.resume()
        return source
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
        let handler = action.__sigaction_u.__sa_handler
        #else
        let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
