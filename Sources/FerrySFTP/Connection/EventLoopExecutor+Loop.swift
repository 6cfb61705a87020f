import FerryCore
import NIOCore
import NIOPosix

extension EventLoopExecutor {
    /// The thread of `FerryCore/EventLoopExecutor/shared`: tasks that run there wake no other to ask a server.
    static func sharedLoop() async -> any EventLoop {
        await Task(executorPreference: EventLoopExecutor.shared) {
            MultiThreadedEventLoopGroup.currentEventLoop ?? anyLoop
        }.value
    }

    /// Any thread, for what is done seldom.
    static let anyLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
}
