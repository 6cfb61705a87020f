import FerryCore
import Foundation

extension SFTPFileProvider {
    /// How long a broken line is tried to be made again, only to tidy up.
    private static var patienceToTidyUp: Duration { .seconds(10) }

    /// Does something with a temporary item, which is taken away if that fails, even if the task was cancelled or the line
    /// has broken meanwhile.
    ///
    /// - Parameters:
    ///   - place: The temporary item.
    ///   - line: The line.
    ///   - isFolder: Whether it is a folder, which goes with all below it.
    ///   - body: What is done.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
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

    /// Removes what nobody needs any more; that it can't be is not told.
    private func tidyUp(_ place: SFTPPath, _ line: SFTPLine, isFolder: Bool) async {
        let work: @Sendable (SFTPConnection) async throws -> Void = { connection in
            if isFolder {
                try await SFTPTreeRemoval(connection).remove(folder: place)
            } else {
                try await connection.begin(.remove(place)).success()
            }
        }
        await uncancelled { [session] in
            if !line.connection.isOver {
                do {
                    return try await work(line.connection)
                } catch {
                    guard line.connection.isOver else { return }
                }
            }
            // The line has broken: by another one, if there is soon one.
            await withTaskGroup { group in
                group.addTask { _ = try? await work(session.connection()) }
                group.addTask { _ = try? await Task.sleep(for: Self.patienceToTidyUp) }
                await group.next()
                group.cancelAll()
            }
        }
    }
}
