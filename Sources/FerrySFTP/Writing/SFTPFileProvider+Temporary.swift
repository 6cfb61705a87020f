import FerryCore
import Foundation
import Logging

extension SFTPFileProvider {
    /// How long a broken line is tried to be made again, only to tidy up.
    private static var patienceToTidyUp: Duration { .seconds(10) }

    /// Pauses after an attempt to remove what a broken line left, the last of them after the last attempt.
    private static var pausesToTidyUp: [Duration] { [0.1, 0.2, 0.4, 0.8, 0].map { .seconds($0) } }

    /// Does something with a temporary item, which is taken away if that fails, even if the task was cancelled or the line
    /// has broken meanwhile.
    ///
    /// - Parameters:
    ///   - place: The temporary item.
    ///   - line: The line.
    ///   - isFolder: `true` if it is a folder, which goes with all below it.
    ///   - body: The work.
    /// - Returns: The value that `body` returns.
    /// - Throws: Any error that `body` throws.
    func whileTemporary<Result: Sendable>(
        _ place: SFTPPath,
        _ line: SFTPLine,
        isFolder: Bool = false,
        _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            return try await body()
        } catch {
            await tidyUp(place, line, isFolder: isFolder)
            throw error
        }
    }

    /// Removes the temporary item; one that stays is logged only.
    private func tidyUp(_ place: SFTPPath, _ line: SFTPLine, isFolder: Bool) async {
        await uncancelled { [self] in
            if !line.connection.isOver {
                do {
                    return try await remove(place, isFolder: isFolder, on: line.connection)
                } catch {
                    guard line.connection.isOver else { return logStaying(place, error) }
                }
            }
            // The line has broken: by another one, if there is soon one.
            await withTaskGroup { group in
                group.addTask { await self.removeByAnotherLine(place, isFolder: isFolder) }
                // Its only error is cancellation: the removal has come first.
                group.addTask { _ = try? await self.clock.sleep(for: Self.patienceToTidyUp) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Removes the temporary item of a line that broke.
    ///
    /// The server may notice the break later than we do: until then it may still create the item, or refuse new lines, so
    /// that what fails is tried again.
    private func removeByAnotherLine(_ place: SFTPPath, isFolder: Bool) async {
        for pause in Self.pausesToTidyUp {
            do {
                return try await remove(place, isFolder: isFolder, on: try await session.connection())
            } catch is CancellationError {
                return
            } catch {
                logStaying(place, error)
            }
            // Cancellation, its only error, ends the next attempt.
            try? await clock.sleep(for: pause)
        }
    }

    private func remove(_ place: SFTPPath, isFolder: Bool, on connection: SFTPConnection) async throws {
        if isFolder {
            try await SFTPTreeRemoval(connection).remove(folder: place)
        } else {
            try await connection.begin(.remove(place)).success()
        }
    }

    private func logStaying(_ place: SFTPPath, _ error: any Error) {
        let metadata: Logger.Metadata = [
            "path": "\(String(decoding: place.lastName, as: UTF8.self))", "error": "\(error)",
        ]
        environment.logger.debug("a temporary item may stay", metadata: metadata)
    }
}
