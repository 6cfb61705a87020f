import FerryCore
import Foundation
import Logging

extension FTPFileProvider {
    /// Waits before the temporary file is looked for again, the last of them after the last try.
    private static let delays: [Duration] = [0.1, 0.2, 0.4, 0.8, 0].map { .seconds($0) }

    /// Removes the temporary file of a write that did not end well.
    ///
    /// A server may notice later than we do that a line broke, so that what is not there yet, or can't be removed, is tried
    /// once more; Pure-FTPd gives what it has of such an upload its name only then, and is asked for a second and a half.
    ///
    /// - Parameter write: The write; its error is what the caller throws, and a file that stays is logged only.
    func removeTemporary(of write: FTPWrite) async {
        guard write.hasBegun else { return }
        await uncancelled { [self] in
            var (failures, refusals) = (0, 0)
            for delay in Self.delays {
                do {
                    let reply = try await call(write.temporary) { session in
                        try session.command("DELE", try session.server.path(of: write.temporary))
                    }
                    guard reply.isRefusal else { return }
                    refusals += 1
                    guard refusals < 2 || server.known.isPureFTPd else { return }
                } catch {
                    failures += 1
                    let metadata: Logger.Metadata = ["path": "\(write.temporary)", "error": "\(error)"]
                    server.logger.debug("a temporary file may stay", metadata: metadata)
                    guard failures < 2 else { return }
                }
                // Its only error is cancellation, which reaches nobody in here.
                try? await pool.clock.sleep(for: delay)
            }
        }
    }
}
