import FerryCore
import Foundation

extension FTPSession {
    /// Gives a file a date: whole seconds, UTC.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - path: The file.
    /// - Throws: `FTPFailure`.
    func setDate(_ date: Date, of path: ItemPath) throws {
        let text = Self.text(of: date)
        let place = try server.path(of: path)
        switch server.known.dateSetting {
        case .mfmt: try require("MFMT \(text)", place)
        case .mdtm: try require("MDTM \(text)", place)
        case nil: break
        }
    }

    /// Gives a file that we have just written a date where the server can do that, and finds out whether it can.
    func setDateIfPossible(_ date: Date, of path: ItemPath) throws {
        if server.known.dateSetting != nil { return try setDate(date, of: path) }
        guard server.known.setsDatesByMDTM == nil, server.known.has("MDTM") else { return }
        // Nobody's standard, but vsftpd's and others' way. A server that takes date and name for a name refuses it.
        let text = Self.text(of: date)
        let place = try server.path(of: path)
        let reply = try command("MDTM \(text)", place)
        var isSet = false
        if reply.isSuccess {
            let told = try command("MDTM", place)
            isSet = told.isSuccess && told.lastText.hasPrefix(text)
        }
        server.learn { $0.setsDatesByMDTM = isSet }
    }

    /// `YYYYMMDDHHMMSS`.
    static func text(of date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func padded(_ number: Int?, _ width: Int) -> String {
            let digits = String(max(0, number ?? 0))
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(parts.year, 4) + padded(parts.month, 2) + padded(parts.day, 2) + padded(parts.hour, 2)
            + padded(parts.minute, 2) + padded(parts.second, 2)
    }
}
