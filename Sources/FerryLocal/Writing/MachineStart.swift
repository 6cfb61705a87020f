import Foundation

/// Which start of the machine this is.
///
/// Where the system doesn't say it, this process alone: then nobody relies on what another process has left, since the
/// machine may have been started anew in between.
enum MachineStart {
    static let current = name(of: systemStart())

    /// The name of a start.
    ///
    /// - Parameter told: The identifier that the system reports, if it reports one.
    /// - Returns: Never empty.
    static func name(of told: String?) -> String {
        if let told, !told.isEmpty { return told }
        return "process \(UUID().uuidString)"
    }
}
