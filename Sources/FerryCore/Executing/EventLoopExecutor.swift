import Foundation
import NIOCore
import NIOPosix

/// Runs tasks on one of SwiftNIO's threads, where the work of the connections is done too.
///
/// A task that makes many short requests there wakes no other thread to send them, and no other wakes it with the
/// answers. It is for tasks that never compute for long: meanwhile the connections of the thread stand still.
///
/// One thread for all of them: on two, the same requests took a quarter longer, since the threads then wake each other.
package final class EventLoopExecutor: TaskExecutor {
    private let loop: any EventLoop

    private init(_ loop: any EventLoop) {
        self.loop = loop
    }

    /// One of the threads that all transports share.
    package static let shared = EventLoopExecutor(MultiThreadedEventLoopGroup.singleton.any())

    /// Where the tasks of many requests to a storage do best.
    ///
    /// - Parameter storages: The storages that they ask.
    /// - Returns: `nil`, which leaves it to Swift, unless one of them is at the other end of a line.
    package static func preferred(for storages: any FileProviderBasic...) -> EventLoopExecutor? {
        storages.contains { $0.baseURL.map { !$0.isFileURL } ?? false } ? shared : nil
    }

    /// Runs a part of a task.
    ///
    /// - Parameter job: The part.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
