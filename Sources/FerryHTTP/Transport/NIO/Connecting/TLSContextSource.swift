import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// The TLS settings of a transport in BoringSSL's form, which are made at the first use: it takes some milliseconds to
/// read all the authorities of a system.
final class TLSContextSource: Sendable {
    private let configuration: TLSConfiguration
    private let made = Mutex<EventLoopFuture<NIOSSLContext>?>(nil)

    init(_ configuration: TLSConfiguration) {
        self.configuration = configuration
    }

    /// The settings.
    ///
    /// - Parameter loop: Where they are needed.
    /// - Returns: The settings, made on a thread that may wait for files.
    func context(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        made.withLock { made in
            if let made { return made }
            let new = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [configuration] in
                try NIOSSLContext(configuration: configuration)
            }
            made = new
            return new
        }.hop(to: loop)
    }
}
