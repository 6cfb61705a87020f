/// A choice of rclone's flags.
struct RcloneVariant: Sendable {
    /// The name in the table.
    let name: String
    let flags: [String]

    init(_ name: String, _ flags: [String]) {
        self.name = name
        self.flags = flags
    }
}
