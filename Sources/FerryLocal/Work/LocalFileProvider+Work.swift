import FerryCore
import Foundation

extension LocalFileProvider {
    /// Runs blocking work on a thread of the pool; where files are coordinated, when it is our turn.
    ///
    /// - Parameters:
    ///   - job: The job, which is cancelled with the task; without one, the work is too short to be ended halfway.
    ///   - reading: Items that are read as a whole.
    ///   - writing: Items that are made, changed, moved or removed.
    ///   - body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws; `CancellationError`, and then it was not begun.
    func run<Result: Sendable>(
        _ job: Job? = nil,
        reading: [ItemPath] = [],
        writing: [ItemPath] = [],
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        var work = body
        if isCoordinating {
            let turn = Turn(reading: reading.compactMap { url(of: $0) }, writing: writing.compactMap { url(of: $0) })
            work = { try turn.take(body) }
        }
        guard let job else { return try await pool.run(work) }
        return try await pool.run(job, work)
    }

    /// Runs work that takes no longer than waking a thread: see ``BlockingPool/runBriefly(_:)``.
    ///
    /// - Parameters:
    ///   - reading: Items that are read as a whole.
    ///   - writing: Items that are made, changed, moved or removed.
    ///   - body: The work.
    /// - Returns: The value that the work returns.
    /// - Throws: Any error that the work throws; `CancellationError`, and then it was not begun.
    func runBriefly<Result: Sendable>(
        reading: [ItemPath] = [],
        writing: [ItemPath] = [],
        _ body: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        // Whoever coordinates may have to wait for another process.
        if isCoordinating { return try await run(reading: reading, writing: writing, body) }
        return try await pool.runBriefly(body)
    }
}

/// The items that work is about, for those who coordinate their work with other processes.
struct Turn: Sendable {
    let reading: [URL]
    let writing: [URL]
}
