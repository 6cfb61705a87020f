import Foundation
import GRDB

/// Statements that are prepared once for a connection.
extension Database {
    func run(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
        try cachedStatement(sql: sql).execute(arguments: arguments)
    }

    func row(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Row? {
        try Row.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }

    func rows(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> [Row] {
        try Row.fetchAll(cachedStatement(sql: sql), arguments: arguments)
    }

    func number(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws -> Int64? {
        try Int64.fetchOne(cachedStatement(sql: sql), arguments: arguments)
    }
}

extension Row {
    /// A column's value; `nil` if it is null or, after damage, of another type.
    func int(_ column: String) -> Int64? { Int64.fromDatabaseValue(databaseValue(column)) }
    func double(_ column: String) -> Double? { Double.fromDatabaseValue(databaseValue(column)) }

    func text(_ column: String) -> String? {
        guard case .string(let text) = databaseValue(column).storage else { return nil }
        return text
    }

    func blob(_ column: String) -> Data? {
        guard case .blob(let data) = databaseValue(column).storage else { return nil }
        return data
    }

    private func databaseValue(_ column: String) -> DatabaseValue {
        let value: DatabaseValue = self[column]
        return value
    }
}

extension Error {
    /// Indicates whether the index is none, or no longer: it is made anew.
    var meansDamage: Bool {
        guard let error = self as? DatabaseError else { return self is RowDecodingError || self is DamagedIndex }
        let codes: [ResultCode] = [
            .SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_FORMAT,
            .SQLITE_SCHEMA, .SQLITE_TOOBIG, .SQLITE_RANGE,
        ]
        return codes.contains(error.resultCode) || error.extendedResultCode == .SQLITE_IOERR_SHORT_READ
    }
}

/// An index that lacks what every index has.
struct DamagedIndex: Error {}
