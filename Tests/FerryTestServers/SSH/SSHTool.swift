import Foundation

/// Runs a small program to its end.
enum SSHTool {
    /// Runs it.
    ///
    /// - Parameters:
    ///   - program: Its file.
    ///   - arguments: Its arguments.
    ///   - environment: Variables that it gets besides.
    /// - Returns: The output that it writes.
    /// - Throws: ``RealServerError`` if it fails.
    @discardableResult
    static func run(
        _ program: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> String {
        let outcome = try await TestProgram.run(
            program,
            arguments,
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
        )
        guard outcome.ending.isSuccess else {
            throw RealServerError(description: "\(program): \(outcome.errors) \(outcome.output)")
        }
        return outcome.output
    }
}
