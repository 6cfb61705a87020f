public import FerryCore
import FerryHTTP
import Foundation

extension DropboxFileProvider {
    /// Seconds that Dropbox waits for changes in one long poll, and some more as it likes.
    private static let longPollSeconds: Int64 = 30

    /// Waits until something has changed since an anchor; Dropbox answers as soon as it does.
    ///
    /// - Parameters:
    ///   - anchor: From an earlier call.
    ///   - timeout: The time to wait for a change at most; a pause that Dropbox asks for after a change comes on top. With
    ///     zero, Dropbox is asked once.
    /// - Returns: `false` when the time is over.
    /// - Throws: `AnchorExpiredError` when Dropbox no longer knows the cursor; errors of the connection;
    ///   `CancellationError`.
    public func waitForChanges(since anchor: ChangeAnchor, timeout: Duration) async throws -> Bool {
        guard timeout > .zero else { return try await hasChanges(since: anchor) }
        do {
            let pause = try await withTimeLimit(timeout, on: connection.clock, orReturn: Duration?.none) {
                while true {
                    do {
                        let (hasChanges, backoff) = try await self.longPoll(anchor.token, about: .root)
                        if hasChanges { return backoff }
                        if backoff > .zero { try await self.connection.clock.sleep(for: backoff) }
                    } catch let error where ((error as? DropboxError)?.mapped() ?? error).isAnswerTimeOut {
                        // The long poll has timed out without an answer: it is asked again.
                    }
                }
            }
            guard let pause else { return false }
            // The caller may ask again at once.
            if pause > .zero { try await connection.clock.sleep(for: pause) }
            return true
        } catch let error as DropboxError {
            throw error.mappedForAnchor
        }
    }

    /// Waits for changes with one question.
    ///
    /// - Parameters:
    ///   - cursor: The cursor.
    ///   - path: The folder that it is of.
    /// - Returns: `true` if there are changes, and the time that Dropbox wants to pass before the next question.
    /// - Throws: ``DropboxError``; errors of the connection.
    func longPoll(_ cursor: String, about path: ItemPath) async throws -> (hasChanges: Bool, backoff: Duration) {
        let answer = try await connection.call(
            DropboxRoute("files/list_folder/longpoll", host: .notify),
            ["cursor": .text(cursor), "timeout": .integer(Self.longPollSeconds)],
            about: path
        )
        return (answer["changes"] == true, .seconds(max(0, answer["backoff"].integer ?? 0)))
    }
}
