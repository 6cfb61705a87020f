import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Runs tasks on one of SwiftNIO's threads, where the work of the connections is done too.
///
/// A task that makes many short requests there wakes no other thread to send them, and no other wakes it with the
/// answers. It is for tasks that never compute for long: meanwhile the connections of the thread stand still.
///
/// Tasks that often wait for each other share one thread: on two, the same requests took a quarter longer, since the
/// threads then wake each other; nor is a walk through many folders any quicker. Tasks that have much to do by themselves
/// are better on several.
package final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// One of the threads that all transports share.
    package static let shared = EventLoopExecutor(MultiThreadedEventLoopGroup.singleton.any())

    /// Some of the threads that all transports share, each with an executor: more than a few were never tried.
    private static let some: [EventLoopExecutor] = {
        let others = MultiThreadedEventLoopGroup.singleton.makeIterator().filter { $0 !== shared.loop }
        return [shared] + others.prefix(3).map { EventLoopExecutor($0) }
    }()

    private static let turns = Atomic(0)

    /// The one whose turn it is: for a task that works for a while without the others of its kind.
    ///
    /// - Returns: The threads one after the other.
    package static func next() -> EventLoopExecutor {
        some[turns.wrappingAdd(1, ordering: .relaxed).oldValue & .max % some.count]
    }

    /// The one whose thread this runs on, else the shared one: for a task that somebody here is about to wait for.
    package static var here: EventLoopExecutor {
        guard let loop = MultiThreadedEventLoopGroup.currentEventLoop else { return shared }
        return some.first { $0.loop === loop } ?? shared
    }

    /// Returns the executor on which the tasks of many requests to a storage do best.
    ///
    /// - Parameter storages: The storages that they ask.
    /// - Returns: `nil`, which leaves it to Swift, unless one of them is at the other end of a line.
    package static func preferred(for storages: any FileProviderBasic...) -> EventLoopExecutor? {
        storages.contains { $0.isRemote } ? shared : nil
    }

    /// Runs a part of a task.
    ///
    /// - Parameter job: The part.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
