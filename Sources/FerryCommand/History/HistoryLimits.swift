import Foundation

/// How much is remembered, and kept for that.
struct HistoryLimits: Sendable {
    /// The variable that says how many bytes are kept, or turns the history off.
    static let variable = "FERRY_HISTORY"

    /// Indicates whether nothing is remembered.
    var isOff = false

    /// Bytes that all that is kept may have together.
    var bytes: Int64 = 1 << 30

    /// How long something is kept.
    var age: Duration = .seconds(30 * 86_400)

    /// Commands that are remembered.
    let groups = 200

    /// Bytes of the file from which on it is put in order.
    let fileSize: Int64 = 32 << 20

    /// Reads the environment.
    ///
    /// - Parameter environment: `FERRY_HISTORY` is `off`, or a number of bytes such as `5G`.
    init(environment: [String: String]) {
        guard let text = environment[Self.variable], !text.isEmpty else { return }
        if text.lowercased() == "off" {
            isOff = true
        } else if let size = ByteSize(argument: text) {
            bytes = size.bytes
        }
    }
}
