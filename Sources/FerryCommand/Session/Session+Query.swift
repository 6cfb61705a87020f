import ArgumentParser
import FerryCore
import Foundation

extension Session {
    /// Reads a predicate; a malformed one is wrong usage, and shown with a caret below the place.
    ///
    /// - Parameter predicate: The text that the person wrote.
    /// - Returns: The query.
    /// - Throws: `ExitCode.validationFailure` after the mistake was reported.
    func query(_ predicate: String) throws -> FileQuery {
        do {
            return try FileQuery(parsing: predicate)
        } catch let error as CocoaError {
            report(error)
            if let diagram = error.queryDiagram {
                console.tell(diagram.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
            }
            throw ExitCode.validationFailure
        }
    }
}
